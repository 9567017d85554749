// The Model Context Protocol's own client for TypeScript, talking to `hud mcp`. Prints what it got.
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"

const [command, db] = process.argv.slice(2)
const start = performance.now()
const client = new Client({ name: "test", version: "1" })
await client.connect(new StdioClientTransport({ command, args: ["mcp", "--db", db] }))
const tools = await client.listTools()
const started = performance.now() - start
const call = (args) => client.callTool({ name: "hud", arguments: args })
const added = await call({ tool: "notes.add", args: { content: "tests need redis" } })
const refused = await call({ tool: "notes.burn" })
const resource = await client.readResource({ uri: "hud://frame" })
const { resources: listed } = await client.listResources()
const resources = []
for (const { uri, mimeType } of listed) {
  const { contents } = await client.readResource({ uri })
  resources.push({ uri, mimeType, contents })
}
await client.close()
console.log(JSON.stringify({ started, tools, added, refused, resource, resources }))
