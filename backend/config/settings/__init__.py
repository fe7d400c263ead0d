"""Settings, one module per concern; `env` says which environment variables exist."""

from __future__ import annotations

from backend.config.settings.audit import *  # noqa: F403
from backend.config.settings.base import *  # noqa: F403
from backend.config.settings.connections import *  # noqa: F403
from backend.config.settings.console import *  # noqa: F403
from backend.config.settings.database import *  # noqa: F403
from backend.config.settings.logs import *  # noqa: F403
from backend.config.settings.rest import *  # noqa: F403
from backend.config.settings.security import *  # noqa: F403
from backend.config.settings.sign_in import *  # noqa: F403
from backend.config.settings.static import *  # noqa: F403
from backend.config.settings.tasks import *  # noqa: F403
