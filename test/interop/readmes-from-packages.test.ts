/**
 * The READMEs, followed to the letter from packed tarballs: what "Install with" names is installed, with what the
 * packages declare and nothing else, and the example prints what it promises. In the long run: it packs every package.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { packAll } from '../support/packed-packages.ts'
import { temporaryFolder } from '../support/shop.ts'
import { type Finished, run } from '../support/svc-command.ts'
import { promisedOutput } from './documentation/example-project.ts'
import { type CodeBlock, readPage } from './documentation/markdown-page.ts'
import { ROOT } from './documentation/repository.ts'

interface Readme {
  readonly name: string
  readonly example: CodeBlock
  /** The paragraph above the example. */
  readonly instructions: string
}

const readmes: Readme[] = readdirSync(join(ROOT, 'plugins')).flatMap((name) => {
  const text = readFileSync(join(ROOT, 'plugins', name, 'README.md'), 'utf8')
  const example = readPage(name, text).blocks.find(({ words }) => words.includes('run'))
  if (example === undefined) return []
  const instructions = text.slice(0, text.indexOf('```ts run')).split('## Smallest use').at(-1) ?? ''
  return [{ name, example, instructions: instructions.replace(/\s+/g, ' ') }]
})

/** Commands between backticks, in order. */
function commandsIn({ instructions }: Readme): string[][] {
  return [...instructions.matchAll(/`((?:npm install|npx|node) [^`]+)`/g)].map(([, text = '']) => text.split(' '))
}

/** Every workspace as npm packs it, unpacked under its name. */
async function unpackAll(t: Test): Promise<string> {
  const folder = await temporaryFolder(t)
  for (const [name, file] of await packAll()) {
    mkdirSync(join(folder, name))
    await run('tar', ['-xzf', file, '-C', join(folder, name), '--strip-components=1'], { cwd: folder })
  }
  return folder
}

/** In place of npm: our packages from their tarballs, others as links; what nobody declares is not there. */
function install(names: readonly string[], { into, from }: { into: string; from: string }): void {
  for (const name of names) {
    const target = join(into, 'node_modules', name)
    if (existsSync(target)) continue
    mkdirSync(dirname(target), { recursive: true })
    if (!name.startsWith('svc-')) {
      symlinkSync(join(ROOT, 'node_modules', name), target)
      continue
    }
    cpSync(join(from, name), target, { recursive: true })
    const manifest = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as Record<string, object>
    install(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }), { into, from })
  }
}

async function follow(t: Test, readme: Readme, from: string): Promise<Finished | null> {
  const into = await temporaryFolder(t)
  writeFileSync(join(into, 'package.json'), '{ "private": true }')
  writeFileSync(join(into, 'example.mts'), readme.example.code)
  let last: Finished | null = null
  for (const [program, ...args] of commandsIn(readme)) {
    const names = args.slice(1).filter((word) => !word.startsWith('-'))
    if (program === 'npm') install(names, { into, from })
    else if (program === 'npx')
      last = await run(join(ROOT, 'node_modules/.bin', args[0] ?? ''), args.slice(1), { cwd: into })
    else last = await run(process.execPath, args, { cwd: into })
    if (last !== null && last.code !== 0) return last
  }
  return last
}

t.test('N5: every README with an example says how to install and run it', async (t) => {
  t.ok(readmes.length >= 13, `${readmes.length} examples`)
  for (const readme of readmes) {
    const commands = commandsIn(readme).map((words) => words.join(' '))
    t.match(commands[0], /^npm install /, `${readme.name}: ${commands[0]}`)
    t.match(commands.at(-1), /^node example\.m[tj]s$/, readme.name)
  }
})

t.test('N5: followed to the letter, from packed tarballs, every README works', async (t) => {
  const from = await unpackAll(t)
  for (const readme of readmes) {
    const finished = await follow(t, readme, from)
    t.equal(finished?.code, 0, `${readme.name} ${finished?.stdout} ${finished?.stderr}`)
    const example = { page: readme.name, line: 0, source: '', block: readme.example }
    t.strictSame(finished?.stdout.split('\n').filter(Boolean), promisedOutput(example), readme.name)
  }
})
