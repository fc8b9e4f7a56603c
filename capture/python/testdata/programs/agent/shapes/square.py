from . import base


class Square(base.Shape):
    def area(self):
        return self.side**2
