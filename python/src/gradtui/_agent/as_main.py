"""Python runs this instead of a program that has another text than its file."""

from gradtui._agent import edited

edited.main()
