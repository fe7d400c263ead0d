from __future__ import annotations

import pytest

from deploy.testrun.failed_pages import shown_lines

PAGE = """# Error details

- alert: of the test's own text

# Page snapshot

```yaml
- generic [ref=e2]:
  - heading "Users" [level=1] [ref=e33]
  - generic [ref=e51]:
    - textbox "Name" [active] [ref=e55]: prove
    - button "Add user" [ref=e72] [cursor=pointer]
  - alert [ref=e80]:
    - paragraph [ref=e81]: Could not add the user
  - list [ref=e90]
```

# Test source
"""


def test_shown_lines__page_with_an_alert__headings_fields_and_its_text() -> None:
    assert shown_lines(PAGE) == [
        '- heading "Users" [level=1]',
        '- textbox "Name" [active]: prove',
        "- alert:",
        "- paragraph: Could not add the user",
    ]


@pytest.mark.parametrize(
    ("context", "message"),
    [
        ("# Error details\n", "no snapshot of the page"),
        ("# Page snapshot\n\n```yaml\n- generic [ref=e2]\n```\n", "nothing on the page"),
    ],
)
def test_shown_lines__nothing_to_read__stated(context: str, message: str) -> None:
    assert shown_lines(context) == [message]
