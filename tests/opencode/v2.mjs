// opencode 2.x as far as the plugin sees it: hooks, tools and events in the shapes of its plugin
// package. Plays a session, and prints what the model would have been sent.
import { pathToFileURL } from "node:url"

const [plugin, directory, bin, compact] = process.argv.slice(2)
const hooks = {}
const tools = {}
const waiting = []
let wake = () => {}
const emit = (type, data) => {
  waiting.push({ type, data })
  wake()
}
async function* events(signal) {
  while (!signal.aborted) {
    while (waiting.length) yield waiting.shift()
    await new Promise((resolve) => {
      wake = resolve
      signal.addEventListener("abort", resolve)
    })
  }
}
const compactions = []
const ctx = {
  location: { directory },
  options: { bin, compact },
  session: {
    hook: (name, hook) => (hooks[name] = hook),
    compact: async (input) => compactions.push(input),
  },
  tool: {
    hook: (name, hook) => (hooks[name] = hook),
    transform: async (callback) => callback({ add: (tool) => (tools[tool.name] = tool) }),
  },
  model: {
    list: async () => ({
      data: [{ providerID: "p", id: "m", limit: { context: 32000, output: 4000 } }],
    }),
  },
  event: { subscribe: ({ signal }) => events(signal) },
}

const sessionID = "ses_v2"
const user = (text) => ({ role: "user", content: [{ type: "text", text }] })
const turn = async (messages) => {
  const event = { sessionID, agent: "build", model: { providerID: "p", id: "m" }, tools: {} }
  Object.assign(event, { system: [{ type: "text", text: "base" }], messages: [...messages] })
  await hooks.context(event)
  return { system: event.system, messages: event.messages }
}
const run = async (tool, input, outcome) => {
  await hooks["execute.after"]({ tool, sessionID, agent: "build", id: `call_${tool}`, input, ...outcome })
}

const { default: module } = await import(pathToFileURL(plugin))
const cleanup = await module.setup(ctx)
await hooks.prompt({ sessionID, prompt: { text: "do the things" }, delivery: "steer" })
const first = await turn([user("do the things")])
const context = { sessionID, agent: "build", id: "call_hud", signal: new AbortController().signal }
const noted = await tools.hud.execute({ tool: "notes.add", args: { content: "tests need redis" } }, context)
const done = (text) => ({ status: "completed", result: { content: [{ type: "text", text }] } })
await run("edit", { filePath: `${directory}/a.txt` }, done("ok"))
const failed = { output: { exit: 1 }, content: [{ type: "text", text: "error: no such test" }] }
await run("shell", { command: "cargo test" }, { status: "completed", result: failed })
await run("read", { filePath: "/none.txt" }, { status: "error", error: { message: "File not found" } })
const said = { sessionID, assistantMessageID: "msg_1", textID: "txt_1" }
said.text = "The root cause is that `parse()` in src/a.rs:12 drops the last line."
emit("session.text.ended", said)
emit("session.text.ended", said)
emit("session.step.ended", { sessionID, tokens: { input: 24000, output: 500, cache: { read: 0, write: 0 } } })
emit("session.step.ended", { sessionID: "of another project", tokens: { input: 1 } })
await new Promise((resolve) => setTimeout(resolve, 50))
const second = await turn([user("do the things")])

const compacted = await tools.hud_compact.execute({}, context)
const compaction = { sessionID, system: [], messages: [user("the conversation")], tools: {} }
await hooks.compaction(compaction)
await hooks.compaction(compaction)
emit("session.compaction.ended", { sessionID, reason: "manual", text: "## Goal\nhalf is done" })
await new Promise((resolve) => setTimeout(resolve, 50))
const third = await turn([user("continue")])
await cleanup()
console.log(
  JSON.stringify({ tools, first, noted, second, compacted, compactions, compaction, third }),
)
