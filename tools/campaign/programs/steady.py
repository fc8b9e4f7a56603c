# Notes the time of each backward pass, on the monotonic clock, after it is over.
import os
import time

import torch

log = os.open(os.environ["CAMPAIGN_LOG"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
w = torch.ones(3, requires_grad=True)
end = time.monotonic() + 20
while time.monotonic() < end:
    (w * 2).sum().backward()
    os.write(log, b"%d\n" % time.monotonic_ns())
    time.sleep(0.002)
