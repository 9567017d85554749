// Reads a layout with MDX and renders it with React as its users do, and says what it is told: `[{message,
// places}]`, each place a line and a column. The layout comes in as JSON, with the tags that there are and the state.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const require = createRequire(process.argv[2])
const load = (name) => import(pathToFileURL(require.resolve(name)))
const { evaluate } = await import(pathToFileURL(process.argv[3]))
const React = (await load('react')).default
const runtime = await load('react/jsx-dev-runtime')
const { renderToStaticMarkup } = (await load('react-dom/server')).default

const { text, tags, state } = JSON.parse(readFileSync(0, 'utf8'))
// The same tags as the catalogue of hud has, each of which shows its children.
const components = Object.fromEntries(
  tags.map((tag) => [tag, ({ children }) => React.createElement('div', null, children)])
)
// The names that an expression may use, on a line of their own with an empty one behind it.
const scope = `export const state = ${JSON.stringify(state)}, density = 'full'\n\n`
const before = 2

const told = []
/** Notes what is said, with the place that is told and those that its words name. */
const note = (message, place) => {
  const places = place ? [[place.line, place.column]] : []
  // "referenced in your code at `1:2-1:15`", "closing tag for `<List>` (3:20-3:26)"
  for (const [, line, column] of message.matchAll(/[`(](\d+):(\d+)-/g)) places.push([Number(line), Number(column)])
  told.push({ message, places: places.map(([line, column]) => [line - before, column]) })
}
// What React says in development counts, too, but for keys: a layout is rendered once.
console.error = (format, ...values) => {
  if (!format.includes('unique "key"')) note([format, ...values].join(' '))
}
try {
  const options = { ...runtime, development: true, baseUrl: import.meta.url }
  const { default: Content } = await evaluate(scope + text, options)
  renderToStaticMarkup(React.createElement(Content, { components }))
} catch (wrong) {
  const because = wrong.cause?.message ? `: ${wrong.cause.message}` : ''
  note(String(wrong.message ?? wrong) + because, wrong.place?.start ?? wrong.place)
}
process.stdout.write(JSON.stringify(told))
