"""The Helm chart in `hawser`, and what renders it with helm itself."""
