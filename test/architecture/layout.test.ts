/** The top level holds exactly what it should, and every package has the same shape. */
import { readdirSync } from 'node:fs'
import t from 'tap'
import { describeFindings } from './finding.ts'
import {
  fileNameFindings,
  folderNameFindings,
  PACKAGE_FILES,
  packageLayoutFindings,
  TOP_LEVEL,
  topLevelFindings
} from './layout.ts'
import { noFindings } from './no-findings.ts'
import {
  PACKAGE_SOURCES,
  PACKAGE_TESTS,
  packageNames,
  ROOT,
  readFiles,
  SPANNING_TESTS,
  TEMPLATE_SOURCES,
  WEB_SOURCES
} from './repository.ts'

t.test('the top level', async (t) => {
  t.strictSame(topLevelFindings([...TOP_LEVEL, '.git', '.config', 'node_modules']), [])
  t.match(describeFindings(topLevelFindings([...TOP_LEVEL, 'src'])), [/^src does not belong/])
  t.match(describeFindings(topLevelFindings(TOP_LEVEL.filter((name) => name !== 'LICENSE'))), [/^LICENSE is missing/])
})

t.test('the files of a package', async (t) => {
  const complete = [...PACKAGE_FILES, 'test/index.test.ts'].map((file) => `plugins/svc-x/${file}`)
  t.strictSame(packageLayoutFindings('svc-x', complete), [])
  for (const path of complete) {
    const [found, ...others] = packageLayoutFindings(
      'svc-x',
      complete.filter((other) => other !== path)
    )
    t.match(path, found?.path, `${path} is missed`)
    t.strictSame(others, [])
  }
})

t.test('names of folders', async (t) => {
  t.strictSame(folderNameFindings(['plugins/x/src/jury/panel.ts', 'test/helper.ts']), [])
  t.match(describeFindings(folderNameFindings(['plugins/x/src/utils/a.ts', 'plugins/x/src/utils/b.ts'])), [
    /^plugins\/x\/src\/utils /
  ])
})

t.test('names of files', async (t) => {
  t.strictSame(
    fileNameFindings([
      'a/role-voter.ts',
      'a/guard.hook.ts',
      'a/x.routes.ts',
      'a/x.test.ts',
      'a/guard.hook.test.ts',
      'a/panel.property.test.ts',
      'app-template/svc.config.ts'
    ]),
    []
  )
  for (const path of ['a/RoleVoter.ts', 'a/role_voter.ts', 'a/role.voter.ts', 'a/-role.ts']) {
    t.equal(fileNameFindings([path]).length, 1, path)
  }
})

t.test('this repository', async (t) => {
  const paths = readFiles('plugins/**/*', 'test/**/*', 'app-template/**/*').map(({ path }) => path)
  const sources = readFiles(
    ...PACKAGE_SOURCES,
    ...WEB_SOURCES,
    ...PACKAGE_TESTS,
    ...SPANNING_TESTS,
    ...TEMPLATE_SOURCES
  )
  const typescript = sources.map(({ path }) => path).filter((path) => /\.tsx?$/.test(path))
  noFindings(t, topLevelFindings(readdirSync(ROOT)), 'the top level')
  for (const name of packageNames()) noFindings(t, packageLayoutFindings(name, paths), `files of ${name}`)
  noFindings(t, folderNameFindings(paths), 'names of folders')
  noFindings(t, fileNameFindings(typescript), 'names of files')
})
