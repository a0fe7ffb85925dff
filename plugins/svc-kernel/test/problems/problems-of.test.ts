/** Any failure of a boot becomes problems, with the place in the application that caused it. */
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { nativeImport } from '../../src/plugin/app-host.ts'
import { BootError, problemsOf } from '../../src/problems/boot-error.ts'

const problem = { code: 'SVC_X', message: 'it failed' }

const stackless = (text: string, code: string) => Object.assign(new Error(text), { code, stack: text })

const rows: ReadonlyArray<[title: string, thrown: unknown, expected: object[]]> = [
  ['a boot error', new BootError([problem]), [problem]],
  ['one of another copy of the kernel', Object.assign(new Error('x'), { problems: [problem] }), [problem]],
  [
    'an outage has no line to correct',
    stackless('the database is away', 'SVC_ORM_UNAVAILABLE'),
    [{ code: 'SVC_ORM_UNAVAILABLE', message: 'the database is away', at: undefined, fix: undefined }]
  ],
  [
    'a foreign error without a place: its stack',
    stackless('in use', 'EADDRINUSE'),
    [{ code: 'EADDRINUSE', fix: /shows the stack/ }]
  ],
  [
    'an empty list of problems',
    Object.assign(new Error('x'), { problems: [] }),
    [{ code: 'SVC_BOOT_FAILED', message: 'x' }]
  ],
  [
    'an error with a code',
    Object.assign(new Error('a\nb'), { code: 'FST_ERR_DEC_ALREADY_PRESENT' }),
    [{ code: 'FST_ERR_DEC_ALREADY_PRESENT', message: 'a' }]
  ],
  ['an error without a message', new RangeError(), [{ code: 'SVC_BOOT_FAILED', message: 'RangeError' }]],
  ['text', 'boom', [{ code: 'SVC_BOOT_FAILED', message: 'the boot threw a value that is not an Error: boom' }]],
  [
    'undefined',
    undefined,
    [{ code: 'SVC_BOOT_FAILED', message: 'the boot threw a value that is not an Error: undefined' }]
  ],
  ['null', null, [{ code: 'SVC_BOOT_FAILED' }]]
]

for (const [title, thrown, expected] of rows) {
  t.test(title, async (t) => {
    t.match(problemsOf(thrown), expected)
    t.equal(problemsOf(thrown).length, 1)
  })
}

interface Folder {
  [name: string]: string | Folder
}

/** Imports a file of an application on disk; answers with what its failure tells. */
async function failing(
  t: Test,
  files: Folder,
  entry = 'entry.js'
): Promise<{ folder: string; at: string | undefined; message: string; code: string }> {
  const folder = t.testdir({ 'package.json': '{"type":"module"}', ...files })
  try {
    await nativeImport(`${folder}/${entry}`)
    throw new Error('the file loads')
  } catch (error) {
    const [{ at, message, code }] = problemsOf(error) as [{ at?: string; message: string; code: string }]
    return { folder: folder.replace(`${process.cwd()}/`, ''), at, message, code }
  }
}

t.test('a file that throws while it loads: the line that throws', async (t) => {
  const { folder, at, message } = await failing(t, {
    'entry.js': "import './broken.js'\n",
    'broken.js': "\n\nthrow new Error('no luck')\n"
  })
  t.equal(at, `${folder}/broken.js:3`)
  t.equal(message, 'no luck')
})

t.test('a TypeError inside a function, in a folder with a space', async (t) => {
  const { folder, at } = await failing(
    t,
    { 'my app': { 'entry.js': 'const read = (from) => from.field\n\nread(undefined)\n' } },
    'my app/entry.js'
  )
  t.equal(at, `${folder}/my app/entry.js:1`)
})

t.test('a file that does not compile: the file, as Node does not tell the line', async (t) => {
  const { folder, at, message, code } = await failing(t, { 'entry.js': 'const a = 1\nconst b = ;\n' })
  t.equal(at, `${folder}/entry.js`)
  t.equal(code, 'SVC_SOURCE_SYNTAX')
  t.match(message, 'does not compile: Unexpected token')
})

t.test('an import of a name that is not exported: the importing line', async (t) => {
  const { folder, at } = await failing(t, {
    'entry.js': "\nimport { nope } from './other.js'\n",
    'other.js': 'export const a = 1\n'
  })
  t.equal(at, `${folder}/entry.js:2`)
})

t.test('an import of a file that does not exist: the importing file', async (t) => {
  const { folder, at, code } = await failing(t, { 'entry.js': "import './nope.js'\n" })
  t.equal(at, `${folder}/entry.js`)
  t.equal(code, 'ERR_MODULE_NOT_FOUND')
})

t.test('an import of a package that is not installed: the importing line', async (t) => {
  const { folder, at } = await failing(t, { 'entry.js': "import 'svc-not-installed'\n" })
  t.equal(at, `${folder}/entry.js:1`)
})

const frames: ReadonlyArray<[title: string, stack: string, at: string | undefined]> = [
  [
    'a dependency is passed over',
    'Error: x\n    at f (/app/node_modules/pg/lib/a.js:1:2)\n    at g (/app/db.ts:7:9)',
    '/app/db.ts:7'
  ],
  [
    'Node is passed over',
    'Error: x\n    at node:internal/main:1:2\n    at async Server.x (node:net:1:2)\n    at async file:///app/a.js:3:4',
    '/app/a.js:3'
  ],
  [
    'a module runner evaluates',
    'Error: x\n    at eval (/my app/controllers/ping.ts:12:5)\n    at run (/app/node_modules/vite/dist/runner.js:1:2)',
    '/my app/controllers/ping.ts:12'
  ],
  ['a method with an alias', 'Error: x\n    at Object.get [as name] (file:///app/a.js:3:4)', '/app/a.js:3'],
  ['a path with brackets', 'Error: x\n    at f (/app (copy)/a.js:3:4)', '/app (copy)/a.js:3'],
  [
    'an evaluated text has no file',
    'Error: x\n    at eval (eval at f (/app/node_modules/x/a.js:1:1), <anonymous>:1:1)',
    undefined
  ],
  ['a URL in the message is no place', 'Error: GET http://a.example/b:80\n    at node:x:1:2', undefined],
  ['a file URL of another machine', 'Error: x\n    at f (file://host/a.js:3:4)', 'file://host/a.js:3'],
  ['no stack', '', undefined]
]

for (const [title, stack, at] of frames) {
  t.test(`place: ${title}`, async (t) => {
    const error = Object.assign(new Error('x'), { stack })
    t.equal(problemsOf(error)[0]?.at, at)
  })
}

t.test('our own packages are passed over, in a checkout too', async (t) => {
  const source = new URL('../../src/index.js', import.meta.url).href
  const error = Object.assign(new Error('x'), {
    stack: `Error: x\n    at f (${source}:1:2)\n    at g (${pathToFileURL('/app/a.js')}:3:4)`
  })
  t.equal(problemsOf(error)[0]?.at, '/app/a.js:3')
})

t.test('the cause tells the place where the error itself does not', async (t) => {
  const cause = Object.assign(new Error('inner'), { stack: 'Error: inner\n    at /app/a.js:3:4' })
  const error = Object.assign(new Error('outer', { cause }), { stack: 'Error: outer\n    at node:x:1:2' })
  t.equal(problemsOf(error)[0]?.at, '/app/a.js:3')
})
