/** What may stand in a source: header, Fastify, console, environment, context, tests that run. */
import t from 'tap'
import type { Finding } from './finding.ts'
import { noFindings } from './no-findings.ts'
import {
  PACKAGE_SOURCES,
  PACKAGE_TESTS,
  readFiles,
  SETUP_SCRIPTS,
  type SourceFile,
  SPANNING_TESTS,
  TEMPLATE_SOURCES,
  WEB_SOURCES
} from './repository.ts'
import {
  consoleFindings,
  enterWithFindings,
  entryHeaderFindings,
  environmentFindings,
  fastifyFindings,
  headerFindings,
  httpFindings,
  setAsideFindings
} from './source-rules.ts'

type Rule = (files: readonly SourceFile[]) => Finding[]

const rows: [rule: Rule, text: string, lines: number[], path?: string][] = [
  [headerFindings, '/** What it is. */\nexport {}', []],
  [headerFindings, '#!/usr/bin/env node\n/**\n * What it is.\n */', []],
  [headerFindings, '// What it is.\nexport {}', []],
  [headerFindings, 'export {}', [1]],
  [headerFindings, '/** */\nexport {}', [1]],
  [headerFindings, "import a from 'a'\n/** Too late. */", [1]],
  [headerFindings, `/**\n${' * a line\n'.repeat(8)} */`, []],
  [headerFindings, `/**\n${' * a line\n'.repeat(9)} */`, [1]],
  [entryHeaderFindings, '/**\n * Decorates  a\n * Hooks      none\n * Needs      nothing\n */', []],
  [entryHeaderFindings, '/**\n * Decorates  a\n * Needs      nothing\n */', [1]],
  [fastifyFindings, "import type { FastifyInstance } from 'fastify'", []],
  [fastifyFindings, "import fp from 'fastify-plugin'", []],
  [fastifyFindings, "import fastify from 'fastify'", [1]],
  [fastifyFindings, "\nimport { type FastifyInstance } from 'fastify'", [2]],
  [fastifyFindings, "await import('fastify')", [1]],
  [fastifyFindings, "export * from 'fastify'", [1]],
  [fastifyFindings, "import fastify from 'fastify'", [], 'plugins/x/src/index.ts'],
  [fastifyFindings, "import fastify from 'fastify'", [], 'plugins/x/src/admin/audit.routes.ts'],
  [fastifyFindings, "import fastify from 'fastify'", [1], 'plugins/x/src/reindex.ts'],
  [httpFindings, "import { METHODS } from 'node:http'", [1]],
  [httpFindings, "import type { Server } from 'node:http'\nimport { Server } from 'node:https'", []],
  [consoleFindings, 'a()\nconsole.log(1)', [2]],
  [consoleFindings, "console['log'](1)", [1]],
  [consoleFindings, "// console.log\nconst a = 'console.log'\nthis.console.show()", []],
  [environmentFindings, 'const a = process.env.A', [1]],
  [environmentFindings, 'const a = process?.env', [1]],
  [environmentFindings, 'const { env } = process', [1]],
  [environmentFindings, '/** reads process.env */\nconst { version } = process', []],
  [environmentFindings, 'process.env.A', [], 'app-template/env.ts'],
  [enterWithFindings, 'storage.enterWith(a)', [1]],
  [enterWithFindings, '// never enterWith\nstorage.run(a, b)', []],
  [setAsideFindings, "t.only('a')", [1]],
  [setAsideFindings, "\nt.test('a', { skip: true }, b)", [2]],
  [setAsideFindings, "t.test('a', { timeout: 1, todo: 'later' }, b)", [1]],
  [setAsideFindings, "t.test('skip: this', b)", []]
]

for (const [rule, text, lines, path = 'plugins/x/src/a.ts'] of rows) {
  t.test(`${rule.name} on ${path}: ${text.slice(0, 60)}`, async (t) => {
    t.strictSame(
      rule([{ path, text }]).map((finding) => finding.line),
      lines
    )
  })
}

const sources = readFiles(...PACKAGE_SOURCES, ...WEB_SOURCES, ...TEMPLATE_SOURCES)
const tests = readFiles(...PACKAGE_TESTS, ...SPANNING_TESTS)
const plugins = readFiles('plugins/*/src/index.ts').filter(({ path }) => !path.startsWith('plugins/svc-cli/'))
const repository: [rule: Rule, files: SourceFile[]][] = [
  [headerFindings, [...sources, ...tests, ...readFiles(...SETUP_SCRIPTS)]],
  [entryHeaderFindings, plugins],
  [fastifyFindings, readFiles('plugins/*/src/**/*.ts')],
  [httpFindings, readFiles('plugins/*/src/**/*.ts').filter(({ path }) => !path.startsWith('plugins/svc-cli/'))],
  [consoleFindings, sources],
  [environmentFindings, sources],
  [enterWithFindings, sources],
  [setAsideFindings, tests]
]

for (const [rule, files] of repository) {
  t.test(`this repository: ${rule.name}`, async (t) => {
    t.ok(files.length > 0, 'there is something to check')
    noFindings(t, rule(files), rule.name)
  })
}
