#!/usr/bin/env bash
# Code of others stays as published: third_party/README.md says which. Prints `ok third_party` or what changed.
set -euo pipefail
cd "$(dirname "$0")/../third_party"
if changed=$(sha256sum --check --quiet 2>&1 << 'SUMS'
a483031c3fed05ea5dd1c74082a71676c46c5b2b820ccca10da515c033efc997  webgpu/webgpu.h
7bd23656d394f620a804b1f174444ea17082b6d330a2fca0c0e6b1121ec4b284  webgpu/wgpu.h
45e384d3d52c73cba3a64d6e6c25d47cd738cd8a55c30629e3201046eda62947  yyjson/LICENSE
98489c068ab65298320710e5be4c1090af1b5676e41301a3525b2e732641aace  yyjson/yyjson.c
adce02aef5dfd868f7c0b632bd23bc0e79fa710b70d93bfe334c2bd15b21a41d  yyjson/yyjson.h
SUMS
); then echo "ok third_party"
else
    echo "FAIL third_party: ${changed//$'\n'/; }"
    exit 1
fi
