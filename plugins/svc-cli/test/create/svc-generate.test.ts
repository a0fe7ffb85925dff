/**
 * `svc-generate <folder>`, for who comes from `fastify generate`; and the patch of fastify-cli that the guide shows.
 * In the long run: it lays down and tests an application.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { sandbox } from '../support/sandbox.ts'
import { ended, launchNode, runSvc } from '../support/svc-process.ts'

const BIN = fileURLToPath(new URL('../../../bin/svc-generate.js', import.meta.url))
const REPOSITORY = fileURLToPath(new URL('../../../../../', import.meta.url))

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

t.test('C23: svc-generate lays the template down, named for its folder', async (t) => {
  const cwd = sandbox(t)
  const made = await ended(launchNode([BIN, 'My Shop', '--preset', 'minimal'], cwd))
  t.equal(made.code, 0, made.stderr)
  t.equal((await runSvc(['create', 'app', 'my-shop'], { cwd })).code, 0)
  t.strictSame(manifestOf(join(cwd, 'My Shop')), manifestOf(join(cwd, 'my-shop')), 'as svc create app writes it')
  t.match(readFileSync(join(cwd, 'My Shop/README.md'), 'utf8'), /^# my-shop\n/)

  const here = join(cwd, 'Here')
  mkdirSync(here)
  t.equal((await ended(launchNode([BIN, '.'], here))).code, 0)
  t.equal(manifestOf(here).name, 'here')

  const unnamed = await ended(launchNode([BIN], cwd))
  t.equal(unnamed.code, 2)
  t.match(unnamed.stderr, /SVC_CREATE_NAME {2}the application needs a name/)
})

t.test('C23: with the patch of the guide, fastify generate --template svc-cli does the same', async (t) => {
  const cwd = sandbox(t)
  const [, patch = ''] =
    /```diff\n([\s\S]*?)```/.exec(readFileSync(join(REPOSITORY, 'docs/guides/fastify-cli-template.md'), 'utf8')) ?? []
  const installed = dirname(createRequire(import.meta.url).resolve('fastify-cli/package.json'))
  const patched = join(cwd, 'fastify-cli')
  cpSync(installed, patched, { recursive: true, filter: (path) => path !== join(installed, 'node_modules') })
  symlinkSync(join(REPOSITORY, 'node_modules'), join(cwd, 'node_modules'))
  writeFileSync(join(cwd, 'template.diff'), patch)
  const applied = spawnSync('git', ['apply', '../template.diff'], { cwd: patched, encoding: 'utf8' })
  t.equal(applied.status, 0, applied.stderr)

  const made = await ended(launchNode([join(patched, 'cli.js'), 'generate', 'shop', '--template', 'svc-cli'], cwd))
  t.equal(made.code, 0, made.stdout + made.stderr)
  t.match(manifestOf(join(cwd, 'shop')), { name: 'shop', scripts: { dev: 'svc dev' } })
  t.equal((await runSvc(['create', 'app', 'other'], { cwd })).code, 0)
  const { dependencies } = manifestOf(join(cwd, 'other'))
  t.strictSame(manifestOf(join(cwd, 'shop')).dependencies, dependencies, 'with the ranges of svc create app')
})
