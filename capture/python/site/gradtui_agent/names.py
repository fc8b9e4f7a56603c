"""Names of results."""


def of_site(site, frame):
    """The names of what an operation at a site returns."""
    return ()
