"use strict";
const { optionalDependencies } = require("./package.json");

/** The path of this platform's program, or the reason why there is none and what to do. */
exports.binary = function binary() {
    const name = `agent-hud-${process.platform}-${process.arch}`;
    if (!(name in optionalDependencies)) {
        return {
            reason: `there is no program for ${process.platform} on ${process.arch}: ` +
                "build it with `cargo install --path hud-cli` in a clone of the repository",
        };
    }
    const file = process.platform === "win32" ? "hud.exe" : "hud";
    try {
        return { path: require.resolve(`${name}/${file}`) };
    } catch {
        return {
            reason: `the package ${name} is not installed: ` +
                "install agent-hud again with optional dependencies (`npm install -g --include=optional agent-hud`)",
        };
    }
};
