// Agent HUD for opencode: the agent sees its HUD on every turn, writes to it through the `hud` tool,
// and keeps it through compaction.
//
//   { "plugin": ["file:///path/to/hud.js"] }                                  in opencode.json
//   { "plugin": [["file:///path/to/hud.js", { "placement": "system-tail" }]] }
//
// Options: `bin` (the `hud` binary, else $HUD_BIN, else `hud` on the path), `db` (else $HUD_DB, else
// the project's log, which `hud where` names), `placement` (message-tail, system-tail), `prune` (false: what tools
// said stays in the conversation), `compact` (summary: the model writes one; drop: what was said is
// dropped, and the HUD is all that is kept).
//
// The work is done by `hud bridge`, a process of its own. Whatever is wrong with it, the agent works
// on: each hook has a deadline, catches everything, and then leaves the request as it was.

import { spawn } from "node:child_process"

const DEADLINE = 100 // milliseconds that a hook may wait
const START = 2000 // milliseconds that the first answer may take
const PAUSE = 1000 // milliseconds between two starts of the bridge
const BACKLOG = 1000 // answers that may be waited for at once

/** `hud bridge` as a process: requests in, answers out, started again when it ends. */
class Bridge {
  constructor(bin, db, cwd) {
    Object.assign(this, { bin, db, cwd, waiting: new Map(), id: 0, started: 0, child: null })
  }

  /** Starts the process unless it runs, or ended only just now. */
  start() {
    if (this.child || Date.now() - this.started < PAUSE) return
    this.started = Date.now()
    const child = spawn(this.bin, ["bridge", ...(this.db ? ["--db", this.db] : [])], {
      cwd: this.cwd,
      stdio: ["pipe", "pipe", "ignore"],
    })
    let text = ""
    const ended = () => {
      if (this.child === child) this.child = null
      for (const { done } of this.waiting.values()) done(null)
      this.waiting.clear()
    }
    child.on("error", ended)
    child.on("exit", ended)
    child.stdin.on("error", () => {})
    child.stdout.setEncoding("utf8")
    child.stdout.on("data", (more) => {
      text += more
      for (let end; (end = text.indexOf("\n")) >= 0; text = text.slice(end + 1)) {
        this.answered(text.slice(0, end))
      }
    })
    // The process must not keep opencode from ending.
    child.unref()
    child.stdout.unref?.()
    this.child = child
  }

  answered(line) {
    try {
      const answer = JSON.parse(line)
      this.waiting.get(answer.id)?.done(answer.result ?? null)
    } catch {}
  }

  /** The result of a request; null if there is none in time. */
  ask(method, params, deadline = DEADLINE) {
    return new Promise((resolve) => {
      this.start()
      if (!this.child || this.waiting.size > BACKLOG) return resolve(null)
      const id = ++this.id
      const done = (result) => {
        clearTimeout(timer)
        this.waiting.delete(id)
        resolve(result)
      }
      const giveUp = () => {
        if (!this.waiting.has(id)) return
        // One that hangs will not answer the next request either.
        this.late = (this.late ?? 0) + 1
        if (this.late >= 3) this.stop()
        done(null)
      }
      // Where it was the client that had no time, the answer is there already, and is read first.
      const timer = setTimeout(() => setImmediate(giveUp), deadline)
      this.waiting.set(id, {
        done: (result) => {
          this.late = 0
          done(result)
        },
      })
      this.child.stdin.write(JSON.stringify({ id, method, params }) + "\n")
    })
  }

  /** A request whose result is not waited for. It is done before those after it. */
  tell(method, params) {
    this.start()
    if (!this.child) return
    // Nobody reads on the other side: what waits must not grow without end.
    if (this.child.stdin.writableLength > 8_000_000) return this.stop()
    this.child.stdin.write(JSON.stringify({ method, params }) + "\n")
  }

  stop() {
    this.late = 0
    this.child?.kill("SIGKILL")
    this.child = null
  }
}

const AWAY = "The HUD can not be reached just now; go on without it."

const isHud = (tool) => tool === "hud" || tool === "hud_compact"

/** The HUD of a project, whatever the version of the client. */
class Hud {
  constructor({ directory, options = {} }) {
    const env = process.env
    this.placement = options.placement ?? env.HUD_PLACEMENT ?? "message-tail"
    this.prunes = options.prune ?? true
    this.drops = options.compact === "drop"
    this.bridge = new Bridge(
      options.bin ?? env.HUD_BIN ?? "hud",
      options.db ?? env.HUD_DB,
      directory,
    )
    this.sessions = new Map()
  }

  /** What is known of a session besides: nothing that would be missed after a restart. */
  of(session) {
    if (!this.sessions.has(session)) this.sessions.set(session, {})
    return this.sessions.get(session)
  }

  async tools() {
    return (await this.bridge.ask("hello", { protocol: 1 }, START))?.tools ?? []
  }

  observe(session, ...reports) {
    if (session) this.bridge.tell("observe", { session, reports })
  }

  /** The frame for the next request to the model; empty if there is none in time. */
  async frame(session) {
    const frame = await this.bridge.ask("frame", { session, placement: this.placement })
    return frame ?? { system: "", message: "" }
  }

  async call(session, input) {
    const result = await this.bridge.ask("call", { session, input }, START)
    if (!result) return AWAY
    return result.refusal ?? JSON.stringify(result.answer)
  }

  /** Records that a compaction begins, and gives what there is to say to the model. */
  compacting(session, trigger) {
    return this.bridge.ask("compacting", { session, trigger }, START)
  }

  /** Compacts a conversation to its HUD: what comes before the message is dropped from now on. */
  async drop(session, boundary) {
    if (!(await this.compacting(session, "agent"))) return AWAY
    this.observe(session, { type: "compaction_ends", boundary })
    return "What was said before this is dropped. Your HUD is kept."
  }

  /**
   * Takes out of the messages what was dropped, and what tools said long ago. Without an answer in
   * time the messages are trimmed as they were last.
   */
  async trim(session, messages) {
    const known = this.of(session)
    const ask = (deadline) =>
      this.bridge.ask("trim", { session, messages: messages.map(outline) }, deadline)
    let kept = await ask()
    if (this.prunes && kept?.leaving.length) {
      const leaving = new Set(kept.leaving)
      const parts = messages.flatMap(finished).filter((part) => leaving.has(part.callID))
      const reports = parts.map(({ callID, tool, state }) => ({
        type: "output_leaves",
        call: callID,
        tool,
        target: state.title,
        content: state.output,
      }))
      this.observe(session, ...reports)
      kept = (await ask(START)) ?? kept
    }
    if (kept) {
      known.left = new Map(kept.placeholders.map(({ call, text }) => [call, text]))
      known.first = kept.from ? messages[kept.from].info.id : null
      known.request = messages[kept.request]?.info.id
    }
    for (const message of messages) {
      message.parts = message.parts.map((part) => {
        const output = known.left?.get(part.callID)
        return output ? { ...part, state: { ...part.state, output } } : part
      })
    }
    const from = messages.findIndex(({ info }) => info.id === known.first)
    if (from <= 0) return
    const request = messages.slice(0, from).filter(({ info }) => info.id === known.request)
    messages.splice(0, from, ...request)
  }

  /** Tells the tokens that a call of the model took, all that it wrote among them. */
  usage(session, tokens, modelID) {
    const { input = 0, output = 0, reasoning = 0, cache = {} } = tokens
    const { context, input: sent, output: written } = this.of(session).model?.limit ?? {}
    const { auto = true, reserved } = this.compaction ?? {}
    this.observe(session, {
      type: "usage",
      input,
      output: output + reasoning,
      cache_read: cache.read ?? 0,
      cache_write: cache.write ?? 0,
      model: modelID,
      window: context ? { context, input: sent, output: written, reserved, compacts: auto } : null,
    })
  }

  tool(session, call, tool, input, content, isError) {
    if (isHud(tool)) return
    this.observe(session, { type: "tool_result", call, tool, input, content, is_error: isError })
  }
}

/** The calls of a message that have their output. */
const finished = ({ parts }) =>
  parts.filter((part) => part.type === "tool" && part.state?.status === "completed")

/** A message without what it says. */
const outline = (message) => {
  const { id, role, parentID, summary, finish, error } = message.info
  return {
    id,
    role,
    compacts: message.parts.some((part) => part.type === "compaction"),
    summarises: role === "assistant" && summary && finish && !error ? parentID : null,
    outputs: finished(message).map(({ callID, tool, state }) => ({
      call: callID,
      tool,
      chars: state.output.length,
      pruned: !!state.time?.compacted,
    })),
  }
}

const wrapped = (text) => `<hud>\n${text.trimEnd()}\n</hud>`

/** Hooks that never throw. */
const safe = (hooks) =>
  Object.fromEntries(
    Object.entries(hooks).map(([name, hook]) => [
      name,
      typeof hook !== "function"
        ? hook
        : async (...given) => {
            try {
              return await hook(...given)
            } catch {}
          },
    ]),
  )

/** opencode 1.x: an object of hooks. */
async function server({ client, directory }, options) {
  const hud = new Hud({ directory, options })
  const declared = await hud.tools()

  const tool = {}
  for (const { name, description, parameters } of declared) {
    tool[name] = {
      description,
      args: parameters.properties,
      async execute(args, context) {
        if (name === "hud") return hud.call(context.sessionID, args)
        if (hud.drops) return hud.drop(context.sessionID, context.messageID)
        const { model } = hud.of(context.sessionID)
        if (!model) return "There is nothing to compact yet."
        // Not awaited: it waits for the turn that this call is a part of.
        client.session
          .summarize({
            path: { id: context.sessionID },
            body: { providerID: model.providerID, modelID: model.id, auto: true },
          })
          .catch(() => {})
        return "The conversation is compacted after this step. Your HUD is kept."
      },
    }
  }

  const events = {
    "session.created": ({ info }) => {
      if (info?.parentID) hud.bridge.tell("begin", { session: info.id, parent: info.parentID })
    },
    "message.updated": ({ info }) => {
      if (info?.role !== "assistant") return
      const known = hud.of(info.sessionID)
      if (info.summary) known.summary = info.id
      if (info.summary || !info.time?.completed || known.counted === info.id || !info.tokens) return
      known.counted = info.id
      hud.usage(info.sessionID, info.tokens, info.modelID)
    },
    "message.part.updated": ({ part }) => {
      // Tools that throw have no other hook.
      if (part?.type === "tool" && part.state?.status === "error") {
        const { input, error } = part.state
        hud.tool(part.sessionID, part.callID, part.tool, input, String(error ?? ""), true)
      }
      if (part?.type === "text" && part.messageID) {
        const known = hud.of(part.sessionID)
        if (part.messageID === known.summary) known.text = part.text
      }
    },
    "session.compacted": ({ sessionID }) => {
      const known = hud.of(sessionID)
      hud.observe(sessionID, { type: "compaction_ends", summary: known.text ?? null })
      known.compacting = false
      known.text = undefined
    },
    "session.idle": ({ sessionID }) => {
      hud.of(sessionID).compacting = false
    },
  }

  return {
    tool,
    ...safe({
      config: async ({ compaction }) => {
        hud.compaction = compaction
        if (compaction?.prune === false) hud.prunes = false
      },

      event: async ({ event }) => events[event.type]?.(event.properties ?? {}),

      "chat.message": async (input, { parts }) => {
        const said = parts.filter((part) => part.type === "text" && !part.synthetic)
        const text = said.map((part) => part.text).join("\n")
        if (text) hud.observe(input.sessionID, { type: "user", text })
      },

      "tool.execute.after": async ({ tool, sessionID, callID, args }, output) => {
        const exit = output?.metadata?.exit
        hud.tool(sessionID, callID, tool, args, String(output?.output ?? ""), !!exit)
      },

      // Before `system.transform`: the frame is made once, for both.
      "experimental.chat.messages.transform": async (_, { messages }) => {
        const user = messages.findLast((message) => message.info.role === "user")
        const session = user?.info.sessionID
        if (!session) return
        const known = hud.of(session)
        known.frame = undefined
        const trimmed = hud.trim(session, messages)
        if (known.compacting) return await trimmed
        hud.observe(session, { type: "model_call" })
        // Asked at once: the answers come when the client has the time to look.
        ;[known.frame] = await Promise.all([hud.frame(session), trimmed])
        if (!known.frame.message) return
        const id = `${user.info.id}_hud`
        const text = wrapped(known.frame.message)
        messages.push({
          info: { ...user.info, id, summary: undefined },
          parts: [
            { id: `${id}_0`, messageID: id, sessionID: session, type: "text", text, synthetic: true },
          ],
        })
      },

      "experimental.chat.system.transform": async ({ sessionID, model }, { system }) => {
        if (!sessionID) return
        const known = hud.of(sessionID)
        const first = system[0] ?? ""
        // Titles and summaries are asked for in the same session.
        if (first.startsWith("You are a title generator")) return
        if (known.compacting || first.startsWith("You are a context summarization agent")) return
        known.model = model
        const frame = known.frame ?? (await hud.frame(sessionID))
        if (!frame.system) return
        // One system message is all that some providers take.
        if (system.length) system[0] = `${first}\n\n${wrapped(frame.system)}`
        else system.push(wrapped(frame.system))
      },

      "experimental.session.compacting": async ({ sessionID }, output) => {
        hud.of(sessionID).compacting = true
        const answer = await hud.compacting(sessionID)
        if (answer?.context) output.context.push(answer.context)
      },

      dispose: async () => hud.bridge.stop(),
    }),
  }
}

/** opencode 2.x: hooks on a context. 1.x calls this too, without sessions. */
async function setup(ctx) {
  if (!ctx?.session?.hook) return
  // A process may serve several projects, each with a context.
  const directory = ctx.location?.directory ?? process.cwd()
  const hud = new Hud({ directory, options: ctx.options })
  const on = (target, name, hook) => target?.hook?.(name, safe({ hook }).hook)

  on(ctx.session, "prompt", async ({ sessionID, prompt }) => {
    if (prompt?.text) hud.observe(sessionID, { type: "user", text: prompt.text })
  })
  on(ctx.session, "context", async ({ sessionID, kind, model, system, messages }) => {
    if (kind && kind !== "primary") return
    const known = hud.of(sessionID)
    known.model ??= await limits(ctx, model)
    hud.observe(sessionID, { type: "model_call" })
    const frame = await hud.frame(sessionID)
    if (frame.system) system.push({ type: "text", text: wrapped(frame.system) })
    if (frame.message) messages.push(message(wrapped(frame.message)))
  })
  on(ctx.session, "compaction", async (event) => {
    const known = hud.of(event.sessionID)
    // Asked again when the first summary did not do.
    known.compacting ??= await hud.compacting(event.sessionID)
    if (!known.compacting) return
    const { hud: kept, context } = known.compacting
    if (hud.drops) event.result = { summary: kept }
    else event.messages.push(message(context))
  })
  on(ctx.tool, "execute.after", async ({ tool, sessionID, id, input, status, result, error }) => {
    // It runs others, which are told by themselves.
    if (tool === "execute") return
    const content = status === "error" ? (error?.message ?? "") : text(result?.content)
    const exit = result?.output?.exit ?? result?.metadata?.exit
    hud.tool(sessionID, id, tool, input, content, status === "error" || !!exit)
  })

  const compacts = typeof ctx.session.compact === "function"
  const declared = await hud.tools()
  await ctx.tool?.transform?.((tools) => {
    for (const { name, description, parameters } of declared) {
      if (name === "hud_compact" && !compacts) continue
      const execute = async (input, { sessionID }) => {
        if (name === "hud") return { content: await hud.call(sessionID, input) }
        await ctx.session.compact({ sessionID, delivery: "steer" })
        return { content: "The conversation is compacted after this step. Your HUD is kept." }
      }
      tools.add({ name, description, input: parameters, execute, options: { codemode: false } })
    }
  })

  const events = {
    "session.created": ({ sessionID, parentID, location }) => {
      if (!parentID || (location?.directory ?? directory) !== directory) return
      hud.bridge.tell("begin", { session: sessionID, parent: parentID })
    },
    "session.step.ended": ({ sessionID, tokens }) => {
      if (!hud.sessions.has(sessionID) || !tokens) return
      hud.usage(sessionID, tokens, hud.of(sessionID).model?.id)
    },
    "session.compaction.ended": ({ sessionID, text }) => {
      if (!hud.sessions.has(sessionID)) return
      hud.observe(sessionID, { type: "compaction_ends", summary: hud.drops ? null : text || null })
      hud.of(sessionID).compacting = undefined
    },
    "session.compaction.failed": ({ sessionID }) => {
      if (hud.sessions.has(sessionID)) hud.of(sessionID).compacting = undefined
    },
  }
  const stop = new AbortController()
  // Not awaited: there are events for as long as the client runs.
  follow(ctx.event?.subscribe?.({ signal: stop.signal }), events)

  return () => {
    stop.abort()
    hud.bridge.stop()
  }
}

const message = (text) => ({ role: "user", content: [{ type: "text", text }] })

/** The text of what a tool answered. */
const text = (content) =>
  typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("\n")

/** A model with its limits, which only the catalogue knows. */
async function limits(ctx, ref) {
  try {
    const models = (await ctx.model.list()).data
    return models.find((model) => model.providerID === ref.providerID && model.id === ref.id)
  } catch {}
}

/** Hands events to their handlers until there are no more. */
async function follow(stream, handlers) {
  try {
    for await (const { type, data } of stream) {
      try {
        handlers[type]?.(data ?? {})
      } catch {}
    }
  } catch {}
}

export default { id: "agent-hud", server, setup }
