#!/usr/bin/env bash
# Type-checks the pi extension against both generations of pi.
#
#   tests/clients/check-types.sh [CLIENTS]      CLIENTS: where install.sh put them (default: target/clients)
set -euo pipefail

repo=$(cd "$(dirname "$0")/../.." && pwd)
clients=$(cd "${1:-$repo/target/clients}" && pwd)
extension=$repo/Components/harness/assets/mentci-workspace.ts
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The name that the extension imports its types by, and the package that answers to it in each generation.
check() {
  local generation=$1 types=$2
  cat >"$scratch/$generation.json" <<JSON
{
  "compilerOptions": {
    "strict": true, "noEmit": true, "skipLibCheck": true, "noUnusedLocals": true, "noUncheckedIndexedAccess": true,
    "erasableSyntaxOnly": true, "target": "es2023", "module": "nodenext", "moduleResolution": "nodenext",
    "allowImportingTsExtensions": true, "moduleDetection": "force",
    "types": ["node"], "typeRoots": ["$clients/typescript/node_modules/@types"],
    "paths": { "@earendil-works/pi-coding-agent": ["$types"] }
  },
  "files": ["$extension"]
}
JSON
  node "$clients/typescript/node_modules/typescript/bin/tsc" --project "$scratch/$generation.json"
  echo "types: the extension fits pi $generation"
}

check 0.73 "$clients/pi-old/node_modules/@mariozechner/pi-coding-agent/dist/index.d.ts"
check 1.5 "$clients/pi/package/dist/index.d.ts"
