/** The package around a file: the nearest, not the outermost. */
import { parse } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../src/modules/package-folder.ts'

t.test('the nearest folder with a package.json, this one first', async (t) => {
  const outer = t.testdir({ 'package.json': '{}', inner: { 'package.json': '{}', dist: { src: {} } }, dist: {} })
  t.equal(packageFolder(outer), outer)
  t.equal(packageFolder(`${outer}/dist`), outer)
  t.equal(packageFolder(`${outer}/inner/dist/src`), `${outer}/inner`)
})

t.test('none up to the root of the file system: the folder itself', async (t) => {
  const nowhere = `${parse(process.cwd()).root}no-such-folder/app`
  t.equal(packageFolder(nowhere), nowhere)
})
