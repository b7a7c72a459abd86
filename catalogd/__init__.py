"""catalogd: turns catalog images into file-based catalogs that it serves over HTTP.

Pure: `status`, `outcome`, `polling`, `index`, `query`. Shell: `unpack`, `store`, `server`, `reconcilers`. `wiring` and
`main` put them together.
"""
