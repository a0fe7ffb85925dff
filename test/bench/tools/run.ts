/**
 * Measures what a call of a tool costs beside the request to its route over HTTP: server CPU per request, ratio tool / route
 * of the medians, in both generations of the protocol. Prints a Markdown table.
 *
 *   npm run bench -- tools          3 starts, 5 rounds of 4000 requests each
 *   npm run bench -- tools 1 3 1000 1 start, 3 rounds of 1000
 */
import { load } from '../measured/load.ts'
import { MeasuredChild } from '../measured/measured-child.ts'
import type { Scenario } from '../measured/scenario.ts'

const [starts = 3, rounds = 5, requests = 4000] = process.argv.slice(2, 5).map(Number)

const DRAFT = { title: 'A title', body: 'The text of an article' }
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {}
}

interface Pair {
  readonly name: string
  readonly route: Scenario
  readonly tool: Scenario
}

interface Credentials {
  readonly route: string
  readonly tool: string
  /** Id of a row. */
  readonly row: string
}

function pairs({ route, tool, row }: Credentials): Pair[] {
  const common = { transport: 'http', status: 200 } as const
  const request = (path: string, payload?: object): Scenario => ({
    ...common,
    name: path,
    path,
    headers: [`authorization: Bearer ${route}`],
    ...(payload === undefined ? {} : { payload: JSON.stringify(payload) })
  })
  const call = (name: string, args: object, isModern: boolean): Scenario => {
    const params = { name, arguments: args, ...(isModern ? { _meta: META } : {}) }
    const own = isModern ? [`mcp-protocol-version: 2026-07-28`, 'mcp-method: tools/call', `mcp-name: ${name}`] : []
    return {
      ...common,
      name,
      path: '/mcp',
      // The load says that it takes JSON; a client says both.
      headers: ['accept: text/event-stream', `authorization: Bearer ${tool}`, ...own],
      payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    }
  }
  const kinds: ReadonlyArray<readonly [name: string, route: Scenario, tool: string, args: object]> = [
    ['a GET that answers a constant', request('/api/articles/1'), 'read', { id: '1' }],
    ['a POST that answers its body', request('/api/articles', DRAFT), 'add', DRAFT],
    ['a GET of a row', request(`/api/rows/${row}`), 'read-row', { id: row }],
    ['a GET of 20 rows', request('/api/rows'), 'list-rows', {}],
    ['a POST of a row', request('/api/rows', DRAFT), 'add-row', DRAFT]
  ]
  return [false, true].flatMap((isModern) =>
    kinds.map(([name, scenario, named, args]) => ({
      name: `${name}, ${isModern ? '2026-07-28' : '2025-11-25'}`,
      route: scenario,
      tool: call(named, args, isModern)
    }))
  )
}

const samples = new Map<string, { readonly route: number[]; readonly tool: number[] }>()
for (let start = 0; start < starts; start += 1) await measure()

process.stdout.write(
  `Node ${process.versions.node}, ${starts} starts, ${rounds} rounds of ${requests} requests each\n\n`
)
process.stdout.write('| call | route over HTTP, us CPU | tool, us CPU | ratio | budget |\n|---|---:|---:|---:|---:|\n')
for (const [name, { route, tool }] of samples) {
  const [byRoute, byTool] = [median(route), median(tool)]
  process.stdout.write(
    `| ${[name, byRoute.toFixed(0), byTool.toFixed(0), (byTool / byRoute).toFixed(2), '<= 1.5'].join(' | ')} |\n`
  )
}

async function measure(): Promise<void> {
  const child = await MeasuredChild.start('../tools/server.js')
  try {
    const tokens = (await (await fetch(`http://127.0.0.1:${child.port}/credentials`)).json()) as Credentials
    for (const { name, route, tool } of pairs(tokens)) {
      const kept = samples.get(name) ?? { route: [], tool: [] }
      samples.set(name, kept)
      await cost(child, route)
      await cost(child, tool)
      for (let round = 0; round < rounds; round += 1) {
        kept.route.push(await cost(child, route))
        kept.tool.push(await cost(child, tool))
      }
    }
  } finally {
    await child.stop()
  }
}

/** Microseconds of server CPU per request over one round. */
async function cost(child: MeasuredChild, scenario: Scenario): Promise<number> {
  const before = await child.read()
  await load(child.port, scenario, requests)
  const after = await child.read()
  return (after.cpuUs - before.cpuUs) / requests
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
