#!/usr/bin/env bash
# Type-checks what we ship for agent harnesses against the harnesses' own types.
#
#   tests/clients/check-types.sh [CLIENTS [WHAT…]]
#
# CLIENTS   where install.sh put them (default: target/clients)
# WHAT      pi opencode openclaw (default: pi, both generations of it)
set -euo pipefail

repo=$(cd "$(dirname "$0")/../.." && pwd)
clients=$(cd "${1:-$repo/target/clients}" && pwd)
shift || true
assets=$repo/Components/harness/assets
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# An asset, the name by which it imports its types, and what answers to that name.
check() {
  local version=$1 asset=$2 name=$3 types=$4
  cat >"$scratch/tsconfig.json" <<JSON
{
  "compilerOptions": {
    "strict": true, "noEmit": true, "skipLibCheck": true, "noUnusedLocals": true, "noUncheckedIndexedAccess": true,
    "erasableSyntaxOnly": true, "target": "es2023", "module": "nodenext", "moduleResolution": "nodenext",
    "allowImportingTsExtensions": true, "moduleDetection": "force",
    "types": ["node"], "typeRoots": ["$clients/typescript/node_modules/@types"],
    "paths": { "$name": ["$clients/$types"] }
  },
  "files": ["$assets/$asset"]
}
JSON
  node "$clients/typescript/node_modules/typescript/bin/tsc" --project "$scratch/tsconfig.json"
  echo "types: $asset fits $version"
}

[ $# -gt 0 ] || set -- pi
for what in "$@"; do
  case $what in
    pi)
      pi=(mentci-workspace.ts @earendil-works/pi-coding-agent)
      check "pi 0.73" "${pi[@]}" pi-old/node_modules/@mariozechner/pi-coding-agent/dist/index.d.ts
      check "pi 1.5" "${pi[@]}" pi/package/dist/index.d.ts
      ;;
    opencode)
      opencode=opencode-types/node_modules/@opencode-ai/plugin/dist/index.d.ts
      check "opencode 1.18" opencode-mentci.ts @opencode-ai/plugin "$opencode"
      ;;
    openclaw)
      openclaw=openclaw/node_modules/openclaw/dist/plugin-sdk/plugin-entry.d.ts
      check "OpenClaw 2026.9" openclaw-mentci.ts openclaw/plugin-sdk/plugin-entry "$openclaw"
      ;;
    *)
      echo "check-types: unknown \`$what\` (pi opencode openclaw)" >&2
      exit 2
      ;;
  esac
done
