"""Images that an agent has seen, and image files of the workspace: ``save_recent_image`` and ``read_image``."""
