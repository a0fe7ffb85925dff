/** The maps of routes that the tests of these applications are typed by are those that `svc build` writes. */
import { cp, readFile, symlink } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../support/shop.ts'
import { repository, svc } from '../support/svc-command.ts'

t.setTimeout(240_000)

for (const name of ['conduit', 'helpdesk']) {
  t.test(name, async (t) => {
    const source = resolve(repository, 'test/apps', name)
    const cwd = join(await temporaryFolder(t), name)
    const isItsOwn = (path: string) =>
      !/^test\b|\.test\.ts$|^description\.ts$|^routes\.d\.ts$|^tsconfig\.json$/.test(relative(source, path))
    await cp(source, cwd, { recursive: true, filter: isItsOwn })
    await cp(join(repository, 'app-template/tsconfig.json'), join(cwd, 'tsconfig.json'))
    await symlink(join(repository, 'node_modules'), join(cwd, 'node_modules'))
    const { code, stdout, stderr } = await svc(['build'], { cwd })
    t.equal(code, 0, stdout + stderr)
    const [made, kept] = await Promise.all([cwd, source].map((folder) => readFile(join(folder, 'routes.d.ts'), 'utf8')))
    if (made !== kept) t.comment(`copy ${join(cwd, 'routes.d.ts')} to ${join(source, 'routes.d.ts')}:\n${made}`)
    t.ok(made === kept, `test/apps/${name}/routes.d.ts is as svc build writes it`)
  })
}
