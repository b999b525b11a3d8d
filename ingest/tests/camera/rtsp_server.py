"""Plays a film over RTSP at 127.0.0.1: rtsp_server.py PORT FILM. Prints its port, then `called` for each client."""

import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402

port, film = sys.argv[1:]
Gst.init(None)
server = GstRtspServer.RTSPServer()
server.set_address("127.0.0.1")
server.set_service(port)
factory = GstRtspServer.RTSPMediaFactory()
factory.set_launch(f'( filesrc location="{film}" ! qtdemux ! rtph264pay name=pay0 pt=96 )')
server.get_mount_points().add_factory("/table", factory)
server.connect("client-connected", lambda *_: print("called", flush=True))
if not server.attach(None):
    sys.exit(f"port {port} is taken")
print(server.get_bound_port(), flush=True)
GLib.MainLoop().run()
