/** Controllers from a folder: what is loaded, what is passed over, and what is told about a file that fails. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AppHost } from 'svc-kernel'
import t, { type Test } from 'tap'
import { findControllerFiles, loadControllers } from '../../src/discovery/load-controllers.ts'

const PACKAGE = new URL('../../src/index.js', import.meta.url).href
const HEAD = `import { controller, Get } from '${PACKAGE}'\n`
const GOOD = (name: string): string =>
  `${HEAD}export class ${name} { a () {} }\nGet('/${name}')(${name}.prototype, 'a')\ncontroller()(${name})\n`

async function folder(t: Test, files: Record<string, string>): Promise<string> {
  const root = t.testdir()
  await writeFile(join(root, 'package.json'), '{"type":"module"}')
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(root, 'c', path, '..'), { recursive: true })
    await writeFile(join(root, 'c', path), text)
  }
  return join(root, 'c')
}

const host: AppHost = {
  name: 'test',
  root: '/',
  mode: 'test',
  checkOnly: false,
  importModule: async (path) => (await import(pathToFileURL(path).href)) as Record<string, unknown>
}

t.test('which files count', async (t) => {
  const root = await folder(t, {
    'a.ts': '',
    'b.js': '',
    'deep/er/c.mts': '',
    'd.mjs': '',
    'a.d.ts': '',
    'a.test.ts': '',
    'a.spec.js': '',
    '_shared.ts': '',
    '.hidden.ts': '',
    'notes.md': '',
    'a.js.map': '',
    'test/x.ts': '',
    'tests/y.ts': '',
    'node_modules/z/index.js': '',
    '_parts/p.ts': ''
  })
  const found = await findControllerFiles(root)
  t.strictSame(
    found?.map((path) => path.slice(root.length + 1)),
    ['a.ts', 'b.js', 'd.mjs', join('deep', 'er', 'c.mts')]
  )
  t.equal(await findControllerFiles(join(root, 'nowhere')), null)
  t.equal(await findControllerFiles(join(root, 'a.ts')), null)
})

t.test('exported classes, each once', async (t) => {
  const root = await folder(t, {
    'one.js': GOOD('One'),
    'two.js': `${GOOD('Two')}export const other = 1\nexport function helper () {}\n`,
    'index.js': "export * from './one.js'\n"
  })
  const { classes, problems } = await loadControllers(root, host)
  t.strictSame(classes.map(({ name }) => name).sort(), ['One', 'Two'])
  t.strictSame(problems, [])
})

t.test('every file that holds none is named, with the likely reason', async (t) => {
  const root = await folder(t, {
    'hidden.js': `${HEAD}class Hidden { a () {} }\ncontroller()(Hidden)\n`,
    'half.js': `${HEAD}export class Half { a () {} }\nGet('/half')(Half.prototype, 'a')\n`,
    'fine.js': GOOD('Fine')
  })
  const { classes, problems } = await loadControllers(root, host)
  t.equal(classes.length, 1)
  t.match(problems, [
    {
      code: 'SVC_CONTROLLER_NOT_LOADED',
      message: /c\/half\.js has no exported class with @controller/,
      fix: /above class Half/
    },
    {
      code: 'SVC_CONTROLLER_NOT_LOADED',
      message: /c\/hidden\.js has no exported class/,
      at: /c\/hidden\.js$/,
      fix: /export the class/
    }
  ])
})

t.test('a file that throws or does not parse: its own message and line', async (t) => {
  const root = await folder(t, {
    'decorated.js': "\n@controller('/x')\nexport class X {}\n",
    'linked.js': "import { nothing } from 'node:fs'\n",
    'missing.js': "import './nowhere.js'\n",
    'syntax.js': 'const a = 1\nconst b = = 2\n',
    'throws.js': "const a = 1\nfunction fail () {\n  throw new TypeError('first line\\nsecond line')\n}\nfail()\n",
    'thrown.js': "throw 'a text'\n"
  })
  const { problems } = await loadControllers(root, host)
  t.match(problems, [
    {
      code: 'SVC_CONTROLLER_FAILED',
      message: /decorated\.js failed to load: SyntaxError/,
      at: /c\/decorated\.js:2$/,
      fix: /TypeScript/
    },
    {
      code: 'SVC_CONTROLLER_FAILED',
      message: /linked\.js failed to load: SyntaxError/,
      at: /c\/linked\.js:1$/,
      fix: /config:check --verbose/
    },
    { code: 'SVC_CONTROLLER_FAILED', message: /missing\.js failed to load: Error: Cannot find module/ },
    { code: 'SVC_CONTROLLER_FAILED', at: /c\/syntax\.js$/, fix: /^node --check .*syntax\.js/ },
    { code: 'SVC_CONTROLLER_FAILED', message: /thrown\.js failed to load: a text/, at: /c\/thrown\.js$/ },
    {
      code: 'SVC_CONTROLLER_FAILED',
      message: /throws\.js failed to load: TypeError: first line$/,
      at: /c\/throws\.js:3$/
    }
  ])
})

t.test('decorators that were compiled in the standard form name the compiler option', async (t) => {
  const root = await folder(t, { 'standard.js': `${HEAD}controller('/x')(class X {}, { kind: 'class', name: 'X' })\n` })
  t.match((await loadControllers(root, host)).problems, [
    {
      code: 'SVC_CONTROLLER_FAILED',
      message: /@controller\('\/x'\) was applied as a standard decorator/,
      at: /standard\.js:2$/,
      fix: /experimentalDecorators/
    }
  ])
})

t.test('TypeScript that nobody compiled', async (t) => {
  const root = await folder(t, { 'raw.ts': `${HEAD}\n@controller('/x')\nexport class X {}\n` })
  t.match((await loadControllers(root, host)).problems, [
    { code: 'SVC_CONTROLLER_FAILED', fix: /experimentalDecorators.*npm run build/ }
  ])
})

t.test('the place a module runner tells wins', async (t) => {
  const root = await folder(t, { 'a.js': '' })
  const failing: AppHost = {
    ...host,
    importModule: () => Promise.reject(Object.assign(new Error('no'), { loc: { file: join(root, 'a.js'), line: 7 } }))
  }
  t.match((await loadControllers(root, failing)).problems, [{ at: /c\/a\.js:7$/ }])
})

t.test('a folder that does not exist', async (t) => {
  const { problems } = await loadControllers(join(t.testdir(), 'nowhere'), host)
  t.match(problems, [{ code: 'SVC_CONTROLLER_DIR', at: 'svc-decorators.dir', got: /nowhere$/ }])
})

t.test('P7: a folder that is misspelt is named with its neighbour', async (t) => {
  const root = t.testdir({ controllers: {}, 'controler.txt': '', src: { controllers: {} } })
  const from = { ...host, root }
  const near = { code: 'SVC_CONTROLLER_DIR', message: /did you mean controllers\?/ }
  t.match((await loadControllers(join(root, 'controlers'), from)).problems, [{ ...near, fix: "dir: './controllers'" }])
  const deeper = await loadControllers(join(root, 'src', 'Controllers '), from)
  t.match(deeper.problems, [{ ...near, fix: "dir: './src/controllers'" }])
  const [far] = (await loadControllers(join(root, 'handlers'), from)).problems
  t.match(far, { message: 'the folder of controllers does not exist', fix: /^mkdir .*handlers$/ })
})
