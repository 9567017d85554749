// The plugin with a watch on each hook, and for comparison on a line that `cat` gives back: what any
// program would take that a hook asks. Writes the milliseconds of every call to a file when the client
// ends.
import { spawn } from "node:child_process"
import { writeFileSync } from "node:fs"

const times = {}

const timed = (name, hook) => async (...given) => {
  const start = performance.now()
  try {
    return await hook(...given)
  } finally {
    ;(times[name] ??= []).push(performance.now() - start)
  }
}

const cat = spawn("cat", { stdio: ["pipe", "pipe", "ignore"] })
cat.unref()
const line = timed("(a line through cat)", () => {
  cat.stdin.write("line\n")
  return new Promise((resolve) => cat.stdout.once("data", resolve))
})

async function server(input, options) {
  const { default: plugin } = await import(options.plugin)
  const hooks = await plugin.server(input, options)
  const { dispose, tool } = hooks
  for (const [name, hook] of Object.entries(hooks)) {
    if (typeof hook === "function") hooks[name] = timed(name, hook)
  }
  const transform = hooks["experimental.chat.messages.transform"]
  hooks["experimental.chat.messages.transform"] = async (...given) => {
    await line()
    return transform(...given)
  }
  for (const [name, { execute }] of Object.entries(tool)) {
    tool[name].execute = timed(`tool ${name}`, execute)
  }
  hooks.dispose = async () => {
    writeFileSync(options.times, JSON.stringify(times))
    cat.kill()
    await dispose()
  }
  return hooks
}

export default { id: "agent-hud-timed", server }
