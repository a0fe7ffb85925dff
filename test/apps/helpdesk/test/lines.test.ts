/** How much of the help desk is its own: all its sources but the tests and the map of routes, which `svc build` writes. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const MOST = 400
const SOURCES = join(import.meta.dirname, '../../../../apps/helpdesk')

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.startsWith('test') && name !== 'routes.d.ts'
)
/** Without blank lines, and lines that are a comment. */
const counted = files.flatMap((name) =>
  readFileSync(join(SOURCES, name), 'utf8')
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/.*|\/\*\*.*\*\/|\/\*\*|\*.*)?$/.test(line))
)

t.ok(files.includes('app.ts') && files.includes(join('controllers', 'tickets.ts')), files.join())
t.ok(counted.length > 300, 'the sources are there')
t.ok(counted.length < MOST, `${counted.length} lines`)
