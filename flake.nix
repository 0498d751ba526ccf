{
  description = "Mentci: rules that agents cannot forget and cannot break";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      each = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
      manifest = builtins.fromTOML (builtins.readFile ./Cargo.toml);

      # The binary, under both of its names, with completions and manual pages.
      engine = pkgs: pkgs.rustPlatform.buildRustPackage {
        pname = "policy-engine";
        version = manifest.workspace.package.version;
        src = self;
        cargoLock.lockFile = ./Cargo.lock;
        cargoBuildFlags = [ "--package" "mentci-policy-engine" ];
        doCheck = false; # the checks below
        nativeBuildInputs = [ pkgs.installShellFiles ];
        postInstall = ''
          $out/bin/policy-engine man .
          installManPage *.1
          for shell in bash fish zsh; do
            $out/bin/policy-engine completions $shell > policy-engine.$shell
          done
          installShellCompletion policy-engine.{bash,fish,zsh}
        '';
        meta = {
          description = "Compiles law and lessons into Absolute Rules that an agent cannot forget";
          license = with pkgs.lib.licenses; [ mit asl20 ];
          mainProgram = "policy-engine";
        };
      };

      # A command of cargo in the checkout, passed or not.
      check = pkgs: name: command: (engine pkgs).overrideAttrs (before: {
        pname = "mentci-${name}";
        nativeBuildInputs = before.nativeBuildInputs ++ [ pkgs.cargo pkgs.clippy pkgs.rustfmt pkgs.capnproto pkgs.git ];
        buildPhase = command;
        installPhase = "touch $out";
        postInstall = "";
      });
    in
    {
      packages = each (pkgs: rec {
        policy-engine = engine pkgs;
        default = policy-engine;
      });

      apps = each (pkgs: {
        default = {
          type = "app";
          program = "${self.packages.${pkgs.stdenv.hostPlatform.system}.default}/bin/policy-engine";
        };
      });

      checks = each (pkgs: {
        format = check pkgs "format" "cargo fmt --check";
        lints = check pkgs "lints" "cargo clippy --all-targets --offline -- -D warnings";
        tests = check pkgs "tests" "cargo test --offline --no-fail-fast";
        # This workspace lives under its own authority.
        rules = pkgs.runCommand "mentci-rules" { } ''
          cp -r ${self} checkout && chmod -R +w checkout
          ${engine pkgs}/bin/policy-engine compile-rules --check --root checkout
          touch $out
        '';
      });

      # `services.mentci`: the daemon of one workspace, as a user's service.
      nixosModules.default = { config, lib, pkgs, ... }:
        let cfg = config.services.mentci; in
        {
          options.services.mentci = {
            enable = lib.mkEnableOption "the daemon of Mentci, for each user who starts it";
            package = lib.mkOption {
              type = lib.types.package;
              default = self.packages.${pkgs.stdenv.hostPlatform.system}.default;
              description = "The package that holds policy-engine.";
            };
            workspace = lib.mkOption {
              type = lib.types.str;
              example = "%h/project";
              description = "The folder that it keeps; systemd's specifiers stand for the user's own.";
            };
            port = lib.mkOption {
              type = lib.types.port;
              default = 8100;
              description = "The port on 127.0.0.1.";
            };
          };
          config = lib.mkIf cfg.enable {
            environment.systemPackages = [ cfg.package ];
            systemd.user.services.mentci = {
              description = "Mentci: rules that agents cannot forget and cannot break";
              wantedBy = [ "default.target" ];
              # A user without this folder has nothing to keep.
              unitConfig.ConditionPathIsDirectory = cfg.workspace;
              serviceConfig = {
                WorkingDirectory = cfg.workspace;
                ExecStart = "${cfg.package}/bin/policy-engine serve --port ${toString cfg.port} --log-format json";
                Restart = "on-failure";
                RestartSec = 1;
                TimeoutStopSec = 10;
                LimitNOFILE = 65536;
                UMask = "0077";
                NoNewPrivileges = true;
                PrivateTmp = true;
                ProtectSystem = "strict";
                ProtectKernelTunables = true;
                ProtectControlGroups = true;
                RestrictSUIDSGID = true;
                RestrictAddressFamilies = [ "AF_UNIX" "AF_INET" "AF_INET6" ];
                LockPersonality = true;
                SystemCallArchitectures = "native";
                # What it writes; the state's folder is made before the first start, before systemd 254 by the daemon.
                StateDirectory = "mentci";
                StateDirectoryMode = "0700";
                ReadWritePaths = [ cfg.workspace "-%h/.local/state" ];
              };
            };
          };
        };

      devShells = each (pkgs: {
        default = pkgs.mkShell {
          inputsFrom = [ self.packages.${pkgs.stdenv.hostPlatform.system}.default ];
          packages = with pkgs; [ cargo clippy rustfmt rust-analyzer cargo-nextest cargo-deny capnproto nodejs_22 python3 ];
        };
      });

      formatter = each (pkgs: pkgs.nixpkgs-fmt);
    };
}
