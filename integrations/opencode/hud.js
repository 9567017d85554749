// Agent HUD for opencode: the agent sees its HUD on every turn, writes to it through the `hud` tool,
// and keeps it through compaction. What is undone in the conversation is undone on the HUD.
//
//   { "plugin": ["file:///path/to/hud.js"] }                                  in opencode.json
//   { "plugin": [["file:///path/to/hud.js", { "placement": "system-tail" }]] }
//
// Options: `bin` (the `hud` binary, else $HUD_BIN, else `hud` on the path), `db` (else $HUD_DB, else
// the project's log), `placement` (auto, epoch, message-tail, system-tail, delta; else the setting), `deadline`
// (milliseconds that a turn may wait for all of it, else $HUD_DEADLINE_MS, else the setting), `prune` (false: what tools said stays
// in the conversation), `compact` (summary: the model writes one; drop: what was said is dropped, and
// the HUD is all that is kept), `advise` (true: the agent is asked to make room, in a message of its own, when
// the context becomes red and when it becomes critical).
//
// The work is done by `hud bridge`, a process of its own. Whatever is wrong with it, the agent works
// on: a turn waits no longer than the deadline, each hook catches everything and then leaves the
// request as it was, and what went wrong is said in opencode's log and, now and then, as a toast.

import { spawn } from "node:child_process"

const DEADLINE = 1000 // milliseconds that a turn may wait, all in all
const PAUSE = 1000 // milliseconds between two starts of the bridge; longer while it fails
const LONGEST_PAUSE = 60_000
const LATE = 2 // answers in a row that may be late before none is waited for any more
const HUNG = 10_000 // milliseconds of silence after which the bridge is started anew
const BACKLOG = 1000 // answers that may be waited for at once
const UNREAD = 8_000_000 // bytes that may wait to be read by the bridge
const LINE = 8_000_000 // characters that an answer may have
const LONGEST_SAID = 64 * 1024 // characters of a text that are reported
const AGAIN = 60_000 // milliseconds before the same is said again in the log
const TOAST = 300_000 // milliseconds between two toasts

const now = () => performance.now()

/** `hud bridge` as a process: requests in, answers out, started again when it ends. */
class Bridge {
  constructor(bin, db, cwd, env, problem) {
    Object.assign(this, { bin, db, cwd, env, problem })
    Object.assign(this, { waiting: new Map(), id: 0, started: 0, pause: 0, late: 0, child: null })
    this.unsent = []
    this.unsentBytes = 0
    this.heard = 0
  }

  /** Starts the process unless it runs, or ended only just now. */
  start() {
    if (this.child || (this.started && now() - this.started < this.pause)) return
    this.started = this.heard = now()
    this.late = 0
    this.pause = Math.min(Math.max(2 * this.pause, PAUSE), LONGEST_PAUSE)
    const child = spawn(this.bin, ["bridge", ...(this.db ? ["--db", this.db] : [])], {
      cwd: this.cwd,
      env: { ...process.env, ...this.env },
      stdio: ["pipe", "pipe", "pipe"],
    })
    const ended = (why) => {
      if (this.child !== child) return
      this.child = null
      this.problem(`\`${this.bin} bridge\` ${why}`)
      this.giveUp()
    }
    child.on("error", (error) => ended(`could not be started: ${error.message}`))
    child.on("exit", (code, signal) => ended(`ended with ${signal ?? `exit code ${code}`}`))
    child.stdin.on("error", () => {})
    lines(child.stdout, (line) => this.answered(line), () => {
      if (this.child !== child) return
      this.problem(`\`${this.bin} bridge\` wrote a line that does not end`)
      this.stop()
    })
    // An answer to a request that is no longer waited for. A line that does not end is passed over.
    lines(child.stderr, (line) => this.problem(line), () => {})
    // The process must not keep opencode from ending.
    child.unref()
    child.stdout.unref?.()
    child.stderr.unref?.()
    this.child = child
    for (const line of this.unsent.splice(0)) child.stdin.write(line)
    this.unsentBytes = 0
  }

  answered(line) {
    this.heard = now()
    this.late = 0
    let answer
    try {
      answer = JSON.parse(line)
    } catch {
      return this.problem(`\`${this.bin} bridge\` answered what is no JSON: ${line}`)
    }
    if (answer?.error) this.problem(String(answer.error.message))
    else this.pause = 0
    this.waiting.get(answer?.id)?.(answer.result ?? null)
  }

  /** The result of a request; null if there is none in time. */
  ask(method, params, deadline) {
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
        done(null)
        this.problem(`\`${this.bin} bridge\` does not answer in time`)
        this.late += 1
        if (now() - this.heard > HUNG) this.stop()
      }
      // One that hangs will not answer the next request either, until it is heard of again.
      const most = this.late >= LATE ? 0 : Math.max(deadline, 0)
      // Where it was the client that had no time, the answer is there already, and is read first.
      const timer = setTimeout(() => setImmediate(giveUp), most)
      this.waiting.set(id, done)
      this.child.stdin.write(JSON.stringify({ id, method, params, at: Date.now() }) + "\n")
    })
  }

  /** A request whose result is not waited for. It is done before those after it. */
  tell(method, params) {
    this.start()
    // With its time: it may have to wait.
    const line = JSON.stringify({ method, params, at: Date.now() }) + "\n"
    if (!this.child) return this.keep(line)
    // Nobody reads on the other side: what waits must not grow without end.
    if (this.child.stdin.writableLength > UNREAD) {
      this.problem(`\`${this.bin} bridge\` does not read its requests`)
      this.stop()
      return this.keep(line)
    }
    this.child.stdin.write(line)
  }

  /** Keeps a request until the process is there again. */
  keep(line) {
    this.unsent.push(line)
    this.unsentBytes += line.length
    while (this.unsentBytes > UNREAD) this.unsentBytes -= this.unsent.shift().length
  }

  giveUp() {
    for (const done of [...this.waiting.values()]) done(null)
  }

  stop() {
    const child = this.child
    this.child = null
    child?.kill("SIGKILL")
    child?.stdout.destroy()
    child?.stderr.destroy()
    this.giveUp()
  }
}

/** Hands the lines of a stream on, and says when one does not end. */
function lines(stream, each, endless) {
  let pieces = []
  let length = 0
  stream.setEncoding("utf8")
  stream.on("error", () => {})
  stream.on("data", (text) => {
    const parts = text.split("\n")
    const last = parts.pop()
    for (const part of parts) {
      const line = pieces.join("") + part
      pieces = []
      length = 0
      if (line.trim()) each(line)
    }
    length += last.length
    if (length > LINE) {
      pieces = []
      length = 0
      return endless()
    }
    pieces.push(last)
  })
}

/** How full a context can be. */
const BANDS = ["green", "yellow", "red", "critical"]

const AWAY = "The HUD can not be reached just now; go on without it."

const isHud = (tool) => tool === "hud" || tool === "hud_compact"

/** The HUD of a project, whatever the version of the client. */
class Hud {
  constructor({ client, directory, options = {} }) {
    const env = process.env
    this.client = client
    this.placement = options.placement ?? env.HUD_PLACEMENT
    this.prunes = options.prune ?? true
    this.drops = options.compact === "drop"
    this.advises = options.advise === true
    const deadline = Number(options.deadline ?? env.HUD_DEADLINE_MS)
    this.isDeadlineSaid = deadline > 0
    this.deadline = this.isDeadlineSaid ? deadline : DEADLINE
    this.bridge = new Bridge(
      options.bin ?? env.HUD_BIN ?? "hud",
      options.db ?? env.HUD_DB,
      directory,
      this.isDeadlineSaid ? { HUD_DEADLINE_MS: String(deadline) } : {},
      (text) => this.problem(text),
    )
    this.sessions = new Map()
    this.said = new Map()
    this.toasted = -TOAST
  }

  /** Says what went wrong in the client's log and to the user; the same not again and again. */
  problem(text) {
    const message = text.trim().slice(0, 500)
    if (now() - (this.said.get(message) ?? -AGAIN) < AGAIN) return
    if (this.said.size > 100) this.said.clear()
    this.said.set(message, now())
    const quietly = (send) => {
      try {
        Promise.resolve(send()).catch(() => {})
      } catch {}
    }
    // Its log files leave out who says something.
    const log = { service: "agent-hud", level: "warn", message: `agent-hud: ${message}` }
    quietly(() => this.client?.app?.log({ body: log }))
    if (now() - this.toasted < TOAST) return
    this.toasted = now()
    const toast = { title: "Agent HUD", message, variant: "warning" }
    quietly(() => this.client?.tui?.showToast({ body: toast }))
  }

  /** What is known of a session besides: nothing that would be missed after a restart. */
  of(session) {
    if (!this.sessions.has(session)) {
      const names = { messages: new Map(), calls: new Map(), spoken: new Map() }
      const known = { left: this.deadline, since: Date.now(), pending: [], kept: [], ...names }
      this.sessions.set(session, known)
    }
    return this.sessions.get(session)
  }

  /**
   * Whether something that ended then is a copy, as all is that a fork begins with: it was reported in the
   * session that it is from. What is reported before a fork is known as one would be the fork's own.
   */
  isCopy(session, end) {
    const known = this.of(session)
    return !known.runs || end < known.since
  }

  async tools() {
    const hello = await this.bridge.ask("hello", { protocol: 1 }, this.deadline)
    if (!this.isDeadlineSaid && hello?.deadline > 0) this.deadline = hello.deadline
    this.cuts = this.prunes && hello?.entry === true
    return hello?.tools ?? []
  }

  /** A turn begins: it has the whole deadline for all that it waits for. */
  turn(session) {
    this.of(session).left = this.deadline
  }

  /** Waits for something, within what is left of the turn's deadline. */
  async within(session, wait) {
    const known = this.of(session)
    const start = now()
    try {
      return await wait(known.left)
    } finally {
      known.left = Math.max(0, known.left - (now() - start))
    }
  }

  /** The result of a request; null if there is none in the turn's time. */
  ask(session, method, params) {
    return this.within(session, (left) =>
      this.bridge.ask(method, { session, ...params }, left),
    )
  }

  observe(session, ...reports) {
    if (session) this.bridge.tell("observe", { session, reports })
  }

  /** What is reported, or called, from now on was led to by a message or a call. */
  caused(session, cause) {
    const known = this.of(session)
    if (!cause || known.cause === cause) return
    known.cause = cause
    this.observe(session, { type: "cause", name: cause })
  }

  /** The name of a call: of its message, and its own. None while the message is not known. */
  called(session, callID, messageID) {
    const { messages, calls } = this.of(session)
    const message = messages.get(messageID ?? calls.get(callID))
    return message && `${message}/${callID}`
  }

  /** The frame for the next request to the model. Without an answer in time it is the last one. */
  async frame(session, called, keeps) {
    const known = this.of(session)
    const { providerID: provider, modelID: model } = called ?? {}
    const asked = { placement: this.placement, provider, model, keeps }
    const frame = await this.ask(session, "frame", asked)
    // What stays in the conversation is there already.
    const last = known.shown?.placement === "delta" ? { ...known.shown, message: "" } : known.shown
    known.shown = frame ?? last ?? { system: "", message: "" }
    return known.shown
  }

  /** Puts what the model was shown before where it was, and what it is shown now behind all messages. */
  place(session, messages, user) {
    const known = this.of(session)
    const { message, placement } = known.frame
    const last = messages.at(-1).info.id
    // What was compacted or taken back is gone, and with it what stood behind it.
    const ids = new Set(messages.map(({ info }) => info.id))
    known.kept = known.kept.filter(({ after }) => ids.has(after))
    const stays = placement === "delta"
    if (stays && message) known.kept.push({ after: last, text: message })
    for (const { after, text } of known.kept) {
      const at = messages.findLastIndex(({ info }) => info.id === after || info.id === `${after}_hud`)
      messages.splice(at + 1, 0, synthetic(session, user, `${after}_hud`, text))
    }
    if (!stays && message) messages.push(synthetic(session, user, `${user.info.id}_hud`, message))
  }

  async call(session, input, cause) {
    this.caused(session, cause)
    const result = await this.ask(session, "call", { input })
    if (!result) return AWAY
    return result.refusal ?? JSON.stringify(result.answer)
  }

  /**
   * Asks the agent to make room when its context becomes fuller, once for each of the bands that are worth
   * a request. Not awaited: it may wait for the turn that goes on.
   */
  async advise(session, user) {
    const known = this.of(session)
    const now = BANDS.indexOf(known.frame.band)
    if (now < 0) return
    const before = known.band
    known.band = now
    // How full it was before is not known, or it is not fuller now.
    if (!(now > before) || now < BANDS.indexOf("red")) return
    const { text } = (await this.bridge.ask("advice", { session }, this.deadline)) ?? {}
    if (!text) return
    const { agent, model } = user.info
    const parts = [{ type: "text", text: wrapped(text), synthetic: true }]
    await this.client.session.promptAsync({ path: { id: session }, body: { agent, model, parts } })
  }

  /** Records that a compaction begins, and returns what the model is to read. */
  compacting(session, trigger) {
    this.turn(session)
    return this.ask(session, "compacting", { trigger })
  }

  /** The window of a model, from the catalogue. */
  async window({ providerID, modelID }) {
    this.catalogue ??= Promise.resolve(this.client?.config?.providers())
    this.catalogue.catch(() => (this.catalogue = undefined))
    const providers = (await this.catalogue)?.data?.providers ?? []
    return providers.find(({ id }) => id === providerID)?.models?.[modelID]?.limit
  }

  /** Reports which model is called, where that is another one than before. */
  async model(session, model) {
    const known = this.of(session)
    const name = model && `${model.providerID}/${model.modelID}`
    if (!name || known.called === name) return
    known.called = name
    const limit = await this.within(session, (left) =>
      Promise.race([this.window(model), new Promise((done) => setTimeout(done, left / 2))]),
    ).catch(() => {})
    const window = this.limits(limit)
    this.observe(session, { type: "model", model: model.modelID, window })
  }

  /** A model's window as it is reported. */
  limits({ context, input, output } = {}) {
    const { auto = true, reserved } = this.compaction ?? {}
    return context ? { context, input, output, reserved, compacts: auto } : null
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
    const ask = () => this.ask(session, "trim", { messages: messages.map(outline) })
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
      kept = (await ask()) ?? kept
    }
    if (kept) {
      known.away = new Map(kept.placeholders.map(({ call, text }) => [call, text]))
      known.first = kept.from ? messages[kept.from].info.id : null
      known.request = messages[kept.request]?.info.id
    }
    for (const message of messages) {
      message.parts = message.parts.map((part) => {
        const output = known.away?.get(part.callID)
        return output ? { ...part, state: { ...part.state, output } } : part
      })
    }
    const from = messages.findIndex(({ info }) => info.id === known.first)
    if (from <= 0) return
    const request = messages.slice(0, from).filter(({ info }) => info.id === known.request)
    messages.splice(0, from, ...request)
  }

  /** Reports the tokens that a call of the model took, all that it wrote among them, and when it ended. */
  usage(session, tokens, { modelID, provider, at } = {}) {
    const { input = 0, output = 0, reasoning = 0, cache = {} } = tokens
    this.observe(session, {
      type: "usage",
      at,
      input,
      output: output + reasoning,
      cache_read: cache.read ?? 0,
      cache_write: cache.write ?? 0,
      model: modelID,
      provider,
      window: this.limits(this.of(session).model?.limit),
    })
  }

  /** Reports what the agent says, each text once. */
  say(session, part, text, at) {
    const { spoken } = this.of(session)
    if (!text?.trim() || spoken.has(part)) return
    remember(spoken, part, true)
    this.observe(session, { type: "agent", at, text: text.slice(0, LONGEST_SAID) })
  }

  tool(session, call, tool, input, { content, error, exit, at }) {
    if (isHud(tool)) return
    this.caused(session, this.called(session, call))
    const made = { call, client: "opencode", tool, input }
    const said = error === undefined ? ended(tool, content ?? "", exit) : failed(tool, error)
    // A folder is listed by the tool that reads a file.
    if (tool === "read" && /^<path>[^\n]*\n<type>directory<\/type>/.test(content ?? "")) {
      Object.assign(made, { tool: "list", input: { path: input?.filePath } })
    }
    this.observe(session, { type: "tool_result", at, ...made, ...said })
  }
}

/** The tools that run a command. */
const SHELLS = new Set(["bash", "shell"])

/** The outcome of a call for which opencode gives an error instead of a result. */
function failed(tool, error) {
  const said = (notRun, content = error) => ({ content, is_error: true, not_run: notRun })
  if (error === `Unknown tool: ${tool}` || error.startsWith("Unknown agent type: ")) return said("no_such_tool")
  if (tool === "skill" && /^Skill "[^"]*" not found/.test(error)) return said("no_such_tool")
  if (error.startsWith("The user rejected permission to use this specific tool call")) {
    const [, feedback] = error.split(" with the following feedback: ")
    return said({ declined: { said: feedback ?? null } })
  }
  // The rules follow as JSON.
  const [rule] = error.split(" Here are some of the relevant rules ")
  if (rule.startsWith("The user has specified a rule")) return said("refused", rule)
  if (error.startsWith(`The ${tool} tool was called with invalid arguments`)) return said("refused")
  return { content: error, is_error: true }
}

/** The outcome of a call that has a result: of a command without opencode's words around its output. */
function ended(tool, output, exit) {
  // What a call becomes that names no tool, or has arguments that are not those of its tool.
  if (tool === "invalid") {
    const isMissing = output.includes("Model tried to call unavailable tool")
    return { content: output, is_error: true, not_run: isMissing ? "no_such_tool" : "refused" }
  }
  if (!SHELLS.has(tool)) return { content: output, is_error: !!exit }
  const about = /\s*<shell_metadata>\n([^]*)<\/shell_metadata>\s*$/.exec(output)
  const content = output
    .slice(0, about?.index)
    .replace(/^\.\.\.output truncated\.\.\.\n\nFull output saved to: [^\n]*\n\n/, "")
    .replace(/^\(no output\)\s*$/, "")
  const [reason] = about?.[1].trim().split(". ") ?? [""]
  if (reason.startsWith("shell tool terminated command")) return { content: content || reason, is_error: true }
  if (reason.startsWith("User aborted")) return { content, is_error: true, not_run: "cancelled" }
  return { content: content || (exit ? `Exit code ${exit}` : ""), is_error: !!exit }
}

/** The name of a message, which a copy of it in a fork has as well. */
const nameOf = ({ role, time }) => `${role}/${time?.created}`

/** The names of all messages and calls. */
const namesOf = (messages) =>
  messages.flatMap(({ info, parts }) => {
    const calls = parts.filter((part) => part.type === "tool")
    return [nameOf(info), ...calls.map(({ callID }) => `${nameOf(info)}/${callID}`)]
  })

/** A prompt without the pair of quotation marks that `opencode run "x y"` puts around all of it. */
const unquoted = (text) =>
  /^"(?:\\"|[^"])*"$/.test(text) ? text.slice(1, -1).replaceAll('\\"', '"') : text

/** The text of parts that a person typed. */
const typed = (parts) =>
  unquoted(
    parts
      .filter((part) => part.type === "text" && !part.synthetic)
      .map((part) => part.text)
      .join("\n"),
  )

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

/** Keeps a name, and not more of them than matter. */
function remember(names, id, name) {
  if (names.size > 2000) names.clear()
  names.set(id, name)
}

/** A message of the user's that nobody typed. */
const synthetic = (sessionID, user, id, said) => {
  const text = wrapped(said)
  return {
    info: { ...user.info, id, summary: undefined },
    parts: [{ id: `${id}_0`, messageID: id, sessionID, type: "text", text, synthetic: true }],
  }
}

const wrapped = (text) => `<hud>\n${text.trimEnd()}\n</hud>`

/** Hooks that never throw. */
const safe = (hooks, problem) =>
  Object.fromEntries(
    Object.entries(hooks).map(([name, hook]) => [
      name,
      typeof hook !== "function"
        ? hook
        : async (...given) => {
            try {
              return await hook(...given)
            } catch (error) {
              problem(`${name}: ${error?.message ?? error}`)
            }
          },
    ]),
  )

/** opencode 1.x: an object of hooks. */
async function server({ client, directory }, options) {
  const hud = new Hud({ client, directory, options })
  const declared = await hud.tools()

  const tool = {}
  for (const { name, description, parameters } of declared) {
    tool[name] = {
      description,
      args: parameters.properties,
      async execute(args, context) {
        const { sessionID, messageID, callID } = context
        if (name === "hud") {
          return hud.call(sessionID, args, hud.called(sessionID, callID, messageID))
        }
        if (hud.drops) return hud.drop(sessionID, messageID)
        const { model } = hud.of(sessionID)
        if (!model) return "There is nothing to compact yet."
        // Not awaited: it waits for the turn that this call is a part of.
        client.session
          .summarize({
            path: { id: sessionID },
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
      if (!info?.sessionID) return
      const known = hud.of(info.sessionID)
      remember(known.messages, info.id, nameOf(info))
      if (info.role !== "assistant") return
      if (info.summary) known.summary = info.id
      if (info.summary || !info.time?.completed || known.counted === info.id || !info.tokens) return
      // The messages of a fork are copies, and nothing was sent for them.
      if (!known.runs) return
      known.counted = info.id
      const { modelID, providerID: provider, time } = info
      hud.usage(info.sessionID, info.tokens, { modelID, provider, at: time.completed })
    },
    "message.part.updated": ({ part }) => {
      if (part?.type === "tool") {
        remember(hud.of(part.sessionID).calls, part.callID, part.messageID)
      }
      // Tools that throw have no other hook.
      if (part?.type === "tool" && part.state?.status === "error") {
        const { input, error, time } = part.state
        if (hud.isCopy(part.sessionID, time?.end)) return
        const said = { error: String(error ?? ""), at: time?.end }
        hud.tool(part.sessionID, part.callID, part.tool, input, said)
      }
      if (part?.type === "text" && part.messageID) {
        const known = hud.of(part.sessionID)
        if (part.messageID === known.summary) known.text = part.text
        else if (part.time?.end && !part.synthetic && !hud.isCopy(part.sessionID, part.time.end)) {
          const message = known.messages.get(part.messageID)
          if (message?.startsWith("assistant/")) hud.say(part.sessionID, part.id, part.text, part.time.end)
        }
      }
    },
    "session.compacted": ({ sessionID }) => {
      const known = hud.of(sessionID)
      hud.caused(sessionID, known.messages.get(known.summary))
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

      // The parts of a command are its file's text, and what the commands in that said.
      "command.execute.before": async ({ sessionID, command, arguments: given }, { parts }) => {
        const text = `/${command} ${given ?? ""}`.trim()
        hud.of(sessionID).command = { text, parts: typed(parts) }
      },

      // Reported with the next request: what the user took back before is taken back first.
      "chat.message": async ({ sessionID }, { message, parts }) => {
        const known = hud.of(sessionID)
        // Here by the time that another model is called.
        hud.window({}).catch(() => {})
        const said = typed(parts)
        const text = known.command?.parts === said ? known.command.text : said
        known.command = undefined
        if (text) known.pending.push({ cause: nameOf(message), text, at: message.time?.created })
      },

      "tool.execute.after": async ({ tool, sessionID, callID, args }, output) => {
        const exit = output?.metadata?.exit
        // Of a server's tool it is what the server answered.
        const content = String(output?.output ?? text(output?.content))
        hud.tool(sessionID, callID, tool, args, { content, exit })
        if (!hud.cuts || isHud(tool)) return
        const cut = await hud.ask(sessionID, "enter", { tool, content })
        if (typeof cut?.text === "string") output.output = cut.text
      },

      // Before `system.transform`: the frame is made once, for both.
      "experimental.chat.messages.transform": async (_, { messages }) => {
        const user = messages.findLast((message) => message.info.role === "user")
        const session = user?.info.sessionID
        if (!session) return
        const known = hud.of(session)
        known.frame = undefined
        known.runs = true
        hud.turn(session)
        if (known.compacting) return await hud.trim(session, messages)
        const whole = !messages[0].parts.some((part) => part.type === "compaction")
        hud.bridge.tell("follow", { session, names: namesOf(messages), whole })
        for (const { cause, text, at } of known.pending.splice(0)) {
          hud.caused(session, cause)
          hud.observe(session, { type: "user", text, at })
        }
        if (messages.length > 1) await hud.model(session, user.info.model)
        hud.observe(session, { type: "model_call" })
        // Asked at once: the answers come when the client has the time to look.
        const left = known.left
        const start = now()
        const asked = hud.frame(session, user.info.model, true)
        ;[known.frame] = await Promise.all([asked, hud.trim(session, messages)])
        known.left = Math.max(0, left - (now() - start))
        hud.place(session, messages, user)
        if (hud.advises) {
          hud.advise(session, user).catch((error) => hud.problem(`advise: ${error?.message ?? error}`))
        }
      },

      "experimental.chat.system.transform": async ({ sessionID, model }, { system }) => {
        if (!sessionID) return
        const known = hud.of(sessionID)
        const first = system[0] ?? ""
        // Titles and summaries are asked for in the same session.
        if (first.startsWith("You are a title generator")) return
        if (known.compacting || first.startsWith("You are a context summarization agent")) return
        known.model = model
        const called = { providerID: model?.providerID, modelID: model?.id }
        const frame = known.frame ?? (await hud.frame(sessionID, called))
        if (!frame.system) return
        // Of the system messages, opencode marks the first two where a provider keeps what is marked: the client's own
        // is one of them then, which stays in the cache whatever the HUD says. Others may take no more than one.
        const isMarked = frame.breakpoints?.includes("system")
        if (system.length && !isMarked) system[0] = `${first}\n\n${wrapped(frame.system)}`
        else system.push(wrapped(frame.system))
      },

      "experimental.session.compacting": async ({ sessionID }, output) => {
        hud.of(sessionID).compacting = true
        const answer = await hud.compacting(sessionID)
        if (answer?.context) output.context.push(answer.context)
      },

      dispose: async () => hud.bridge.stop(),
    }, (text) => hud.problem(text)),
  }
}

/** opencode 2.x: hooks on a context. 1.x calls this too, without sessions. */
async function setup(ctx) {
  if (!ctx?.session?.hook) return
  // A process may serve several projects, each with a context.
  const directory = ctx.location?.directory ?? process.cwd()
  const hud = new Hud({ directory, options: ctx.options })
  const problem = (text) => hud.problem(text)
  const on = (target, name, hook) => target?.hook?.(name, safe({ [name]: hook }, problem)[name])

  on(ctx.session, "prompt", async ({ sessionID, prompt }) => {
    if (prompt?.text) hud.observe(sessionID, { type: "user", text: unquoted(prompt.text) })
  })
  on(ctx.session, "context", async ({ sessionID, kind, model, system, messages }) => {
    if (kind && kind !== "primary") return
    const known = hud.of(sessionID)
    known.model ??= await limits(ctx, model)
    hud.turn(sessionID)
    hud.observe(sessionID, { type: "model_call" })
    const called = { providerID: model?.providerID, modelID: model?.id }
    const frame = await hud.frame(sessionID, called)
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
    // It runs others, which are reported by themselves.
    if (tool === "execute") return
    const exit = result?.output?.exit ?? result?.metadata?.exit
    const said = status === "error" ? { error: error?.message ?? "" } : { content: text(result?.content), exit }
    hud.tool(sessionID, id, tool, input, said)
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
      hud.usage(sessionID, tokens, { modelID: hud.of(sessionID).model?.id })
    },
    "session.text.ended": ({ sessionID, assistantMessageID, textID, text }) => {
      if (hud.sessions.has(sessionID)) hud.say(sessionID, `${assistantMessageID}/${textID}`, text)
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
