/** Commands that the documentation tells people to type exist: npm scripts, `svc` commands and their flags. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { readPage } from './documentation/markdown-page.ts'
import { documentationPages, inRepository, templatePages } from './documentation/repository.ts'
import { shellCommands } from './documentation/shell-commands.ts'

const BIN = inRepository('plugins/svc-cli/bin/svc.js')

const commands = [...documentationPages(), ...templatePages()].flatMap((path) =>
  shellCommands(readPage(path, readFileSync(inRepository(path), 'utf8')))
)

t.test('npm scripts', async (t) => {
  const scripts = new Set(['package.json', 'app-template/package.json'].flatMap(scriptsOf))
  const unknown = commands.filter(({ program, words }) => program === 'npm' && !scripts.has(words[0] ?? ''))
  t.strictSame(unknown, [])
})

t.test('benchmarks', async (t) => {
  const { BENCHMARKS } = (await import(inRepository('.config/bench.mjs'))) as { BENCHMARKS: object }
  const named = commands.filter(({ program, words }) => program === 'npm' && words[0] === 'bench' && words.length > 1)
  t.strictSame(
    named.filter(({ words: [, name = ''] }) => !Object.hasOwn(BENCHMARKS, name)),
    []
  )
  const shown = new Set(named.map(({ words }) => words[1]))
  t.strictSame(
    Object.keys(BENCHMARKS).filter((name) => !shown.has(name)),
    [],
    'each is on a page'
  )
})

/** Commands that have commands of their own. */
const GROUPS = new Set(['create', 'jobs', 'keys', 'webhooks'])

t.test('svc commands and flags', async (t) => {
  const helps = new Map<string, string>()
  for (const { program, words, flags, place } of commands) {
    if (program !== 'svc') continue
    const name = GROUPS.has(words[0] ?? '') ? words.slice(0, 2).join(' ') : (words[0] ?? '')
    if (!helps.has(name)) helps.set(name, helpOf(name))
    const help = helps.get(name) ?? ''
    t.match(help, `Usage: svc${name === '' ? '' : ` ${name}`}`, `${place} svc ${name}`)
    for (const flag of flags) t.ok(help.includes(flag), `${place} svc ${name} ${flag}`)
  }
})

t.test('how a block is read', async (t) => {
  const page = readPage(
    'x.md',
    [
      '```bash',
      'PORT=5161 npm run dev',
      'npm run bench -- http 2 3 5000',
      'npm run faults -- --minutes 10',
      'npx svc create app shop --preset minimal && cd shop',
      'npm create svc@latest shop -- --test tap',
      'npx svc docs SVC_X',
      'ls',
      '```'
    ].join('\n')
  )
  t.strictSame(shellCommands(page), [
    { place: 'x.md:2', program: 'npm', words: ['dev'], flags: [] },
    { place: 'x.md:3', program: 'npm', words: ['bench', 'http'], flags: [] },
    { place: 'x.md:4', program: 'npm', words: ['faults'], flags: [] },
    { place: 'x.md:5', program: 'svc', words: ['create', 'app', 'shop'], flags: ['--preset'] },
    { place: 'x.md:6', program: 'svc', words: ['create', 'app', 'shop'], flags: ['--test'] },
    { place: 'x.md:7', program: 'svc', words: ['docs', 'SVC_X'], flags: [] }
  ])
})

function scriptsOf(path: string): string[] {
  const { scripts } = JSON.parse(readFileSync(inRepository(path), 'utf8')) as { scripts: Record<string, string> }
  return Object.keys(scripts)
}

function helpOf(name: string): string {
  const { stdout } = spawnSync(process.execPath, [BIN, ...name.split(' ').filter(Boolean), '--help'], {
    encoding: 'utf8',
    timeout: 20_000
  })
  return stdout
}
