/**
 * `npm run coverage`: folders of pure decision logic are covered line by line, or this fails and names what is not.
 * It runs the tests of the packages that own such folders once more, with tap's coverage on.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runAfterBootstrap } from './bootstrap.mjs'
import { uncoveredFiles } from './line-coverage.mjs'
import { root } from './run-step.mjs'
import { runTests } from './tap.mjs'
import { compiledTests } from './test-files.mjs'

/** What decides, and therefore must be tried in full. */
const PURE = [
  'plugins/svc-kernel/src/access',
  'plugins/svc-kernel/src/secret-box',
  'plugins/svc-limits/src/limit',
  'plugins/svc-orm/src/criteria',
  'plugins/svc-orm/src/crud',
  'plugins/svc-orm/src/entities',
  'plugins/svc-security/src/authentication',
  'plugins/svc-security/src/authorization',
  'plugins/svc-security/src/cross-origin',
  'plugins/svc-security/src/promises',
  'plugins/svc-security/src/stores',
  'plugins/svc-webhooks/src/signature',
  'plugins/svc-webhooks/src/ssrf'
]

/** In those folders, what reads files or watches open WebSockets: `test/interop/open-sockets.test.ts` has the sockets. */
const NOT_PURE = new Set([
  'plugins/svc-orm/src/entities/load-entities.ts',
  'plugins/svc-security/src/authentication/authenticators/session-authenticator.ts',
  'plugins/svc-security/src/authentication/revalidation/revalidation.ts',
  'plugins/svc-security/src/authentication/socket-identities.ts'
])

await runAfterBootstrap(async (node) => {
  const owners = [...new Set(PURE.map((folder) => join(root, folder.split('/src/')[0])))]
  const flags = ['--no-disable-coverage', '--allow-incomplete-coverage', '--coverage-report=json-summary']
  const { failed } = await runTests(node, { flags, files: compiledTests(root, owners) })
  if (failed > 0) return 1
  for (const file of NOT_PURE) {
    if (!existsSync(join(root, file))) throw new Error(`${file} is gone: correct the list in .config/coverage.mjs`)
  }
  const summary = JSON.parse(readFileSync(join(root, '.tap', 'report', 'coverage-summary.json'), 'utf8'))
  const uncovered = uncoveredFiles(root, PURE.flatMap(sourcesWithCode), summary)
  for (const line of uncovered) process.stdout.write(`${line}\n`)
  process.stdout.write(`${PURE.length} folders, ${uncovered.length} files short of every line\n`)
  return uncovered.length > 0 ? 1 : 0
})

/** Files that hold only types leave nothing to run, and so nothing to cover. */
function sourcesWithCode(folder) {
  if (!existsSync(join(root, folder))) throw new Error(`${folder} is gone: correct the list in .config/coverage.mjs`)
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`)
    .filter((file) => !NOT_PURE.has(file) && !holdsOnlyTypes(file))
}

function holdsOnlyTypes(file) {
  const compiled = file.replace('/src/', '/dist/src/').replace(/\.ts$/, '.js')
  const code = readFileSync(join(root, compiled), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*|export \{\};/g, '')
  return code.trim() === ''
}
