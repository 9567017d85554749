// Puts the program itself in the place of the script that starts it: each hook then saves the start of Node.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { binary } = require("./platform.js");

const program = binary().path;
// npm on Windows makes a script that runs the file with Node.
if (program && process.platform !== "win32") {
    const file = path.join(__dirname, "bin", "hud");
    const copy = `${file}.${process.pid}`;
    try {
        fs.copyFileSync(program, copy);
        fs.chmodSync(copy, 0o755);
        fs.renameSync(copy, file);
    } catch {
        // The script is there, and does the same.
        fs.rmSync(copy, { force: true });
    }
}
