// The plugin with a watch on each hook. Writes the milliseconds of every call to a file when the client
// ends.
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

async function server(input, options) {
  const { default: plugin } = await import(options.plugin)
  const hooks = await plugin.server(input, options)
  const { dispose, tool } = hooks
  for (const [name, hook] of Object.entries(hooks)) {
    if (typeof hook === "function") hooks[name] = timed(name, hook)
  }
  for (const [name, { execute }] of Object.entries(tool)) {
    tool[name].execute = timed(`tool ${name}`, execute)
  }
  hooks.dispose = async () => {
    writeFileSync(options.times, JSON.stringify(times))
    await dispose()
  }
  return hooks
}

export default { id: "agent-hud-timed", server }
