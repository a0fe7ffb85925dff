/** A slip in the name of a package: its line, the name that was meant, the command that installs it. */
import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { problemsOf } from '../../src/problems/boot-error.ts'
import { missingPackage } from '../../src/problems/missing-package.ts'

/** Imports a config of one line per specifier, in an application with these packages. */
async function importing(t: Test, specifier: string) {
  const manifest = '{"name":"x","main":"x.js"}'
  const folder = t.testdir({
    'package.json': '{"type":"module"}',
    node_modules: { 'left-pud': { 'package.json': manifest }, '@acme': { logger: { 'package.json': manifest } } },
    'svc.config.js': `// one\nimport x from '${specifier}'\n`
  })
  const thrown = await import(pathToFileURL(`${folder}/svc.config.js`).href).catch((error: unknown) => error)
  return { thrown, at: `${relative(process.cwd(), folder)}/svc.config.js:2` }
}

t.test('N3: a package of ours with a slip: five parts, and what was meant', async (t) => {
  const { thrown, at } = await importing(t, 'svc-securty')
  t.match(problemsOf(thrown), [
    {
      code: 'SVC_NOT_INSTALLED',
      message: 'the package svc-securty is not installed (did you mean svc-security?)',
      at,
      got: "'svc-securty'",
      expected: 'the name of an installed package',
      fix: /^write 'svc-security'/,
      more: 'npx svc docs startup-problems'
    }
  ])
})

t.test('N3: an installed package, a scoped one, one that nothing is like', async (t) => {
  const rows = [
    ['left-pad', "write 'left-pud'"],
    ['@acme/loger/sub', "write '@acme/logger'"],
    ['quite-something-else', 'npm install quite-something-else']
  ] as const
  for (const [specifier, fix] of rows) {
    const { thrown, at } = await importing(t, specifier)
    t.match(missingPackage(thrown), { at, fix }, specifier)
  }
})

t.test('N3: as the module runner of svc dev says it, with a quoted importer', async (t) => {
  const thrown = Object.assign(new Error("Cannot find module 'svc-auditt' imported from '/nowhere/svc.config.ts'"), {
    code: 'ERR_MODULE_NOT_FOUND'
  })
  t.match(missingPackage(thrown), { at: '/nowhere/svc.config.ts', fix: "write 'svc-audit', and npm install svc-audit" })
})

t.test('an import by path, and any other failure, is none of it', async (t) => {
  const { thrown } = await importing(t, './nope.js')
  t.equal(missingPackage(thrown), null)
  t.equal(missingPackage(new Error('boom')), null)
  t.equal(missingPackage(undefined), null)
  t.match(problemsOf(thrown), [{ code: 'ERR_MODULE_NOT_FOUND', fix: String }])
})
