/**
 * The pages of the console and the portal of svc-events, type-checked and bundled by Vite where their sources changed since
 * the last time. Sources are compared by content: a checkout changes times. The digest lies beside what was built, which
 * Vite empties first.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root, runQuietStep } from './run-step.mjs'

const SOURCES = 'plugins/svc-console/web'

/** What is bundled, by the config of Vite beside the sources, and where it goes. */
const BUNDLES = {
  'vite.config.ts': 'plugins/svc-console/dist/web',
  'vite-portal.config.ts': 'plugins/svc-events/dist/portal'
}

/** What the answers of the server are, in any package: the pages are checked against them. */
const ANSWERS = /^plugins\/[^/]+\/src\/(?:.+\/)?(?:answers|wire|json-schemas)\.ts$/

/** Beside the sources: what the build reads, what it shares with the plugin, and which tools and libraries make it. */
const ALSO = [
  'docs/reference/errors.md',
  'package-lock.json',
  'plugins/svc-console/src/pages/page-settings.ts',
  'plugins/svc-events/src/portal/page-document.ts',
  'plugins/svc-events/src/portal/texts-en.ts'
]

/** @param node path of the Node that runs the tools */
export async function buildWebPages(node) {
  const digest = digestOf(root)
  const marks = Object.values(BUNDLES).map((output) => join(root, output, 'sources.sha256'))
  if (marks.every((mark) => existsSync(mark) && readFileSync(mark, 'utf8') === digest)) return
  const tool = (path) => join(root, 'node_modules', path)
  await runQuietStep('checking the pages of the console (tsc)', node, [
    tool('typescript/bin/tsc'),
    '-p',
    join(root, SOURCES)
  ])
  for (const config of Object.keys(BUNDLES)) {
    await runQuietStep(`bundling the pages of the console (${config})`, node, [
      tool('vite/bin/vite.js'),
      'build',
      '--config',
      join(root, SOURCES, config)
    ])
  }
  for (const mark of marks) writeFileSync(mark, digest)
}

/** Changes with every byte that the pages are made of. */
export function digestOf(folder) {
  const own = filesIn(join(folder, SOURCES))
  const answers = readdirSync(join(folder, 'plugins'))
    .flatMap((name) => filesIn(join(folder, 'plugins', name, 'src')))
    .filter((file) => ANSWERS.test(relative(folder, file)))
  const hash = createHash('sha256')
  for (const file of [...own, ...answers, ...ALSO.map((path) => join(folder, path))]) {
    const bytes = readFileSync(file)
    hash.update(`${file.slice(folder.length)}\n${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex')
}

function filesIn(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
}
