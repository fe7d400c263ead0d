/** The last moves of tests/story/test_story.py, by a person: the link goes home, and the run's page says verified. */
import { expect, test } from "../e2e/support/test";
import { goHome } from "../e2e/support/walk";

test("test_failback__clicked__home_again_and_the_result_verified", async ({ page, signInAs }) => {
  await signInAs("operator");
  await goHome(page);
  await expect(page.getByText("Verified", { exact: true }).first()).toBeVisible();
});
