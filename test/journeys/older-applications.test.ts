/**
 * Applications of earlier versions, as their templates laid them down: `svc upgrade` takes each to this version, and its
 * own tests pass; over the database that its version wrote it starts.
 * In the long run: each version runs all of its tests.
 */
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { freePort } from '../support/ports.ts'
import { temporaryFolder } from '../support/shop.ts'
import { Running, repository, run, svc } from '../support/svc-command.ts'

const VECTORS = join(repository, 'test/vectors')

/** The key that sealed what the databases of earlier versions hold. */
const { encryptionKey } = JSON.parse(
  await readFile(join(VECTORS, 'older-databases/0.1.0/application.json'), 'utf8')
) as {
  encryptionKey: string
}

const versions = (await readdir(join(VECTORS, 'older-applications'), { withFileTypes: true }))
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

t.ok(versions.length > 0, 'there are earlier versions')

for (const version of versions) {
  t.test(`U4: an application of version ${version} is upgraded and runs`, async (t) => {
    const cwd = join(await temporaryFolder(t), 'shop')
    await cp(join(VECTORS, 'older-applications', version), cwd, { recursive: true })
    await symlink(join(repository, 'node_modules'), join(cwd, 'node_modules'))

    const before = await svc(['build'], { cwd })
    t.equal(before.code, 1)
    t.match(before.stderr, /SVC_BUILD_FAILED[\s\S]*fix: npx svc upgrade updates 10 imports/)
    const routes = await svc(['routes'], { cwd })
    t.match(
      routes.stderr,
      /SVC_NAME_MOVED {2}svc-kernel does not export \w+: it moved to svc-host/,
      'U10: the new place is named'
    )

    const asked = await svc(['upgrade', '--dry-run'], { cwd })
    t.match(asked.stdout, /EDIT app\.ts\n {2}5: application {2}svc-kernel -> svc-host/)
    t.match(await readFile(join(cwd, 'app.ts'), 'utf8'), /from 'svc-kernel'/, 'a dry run writes nothing')
    const upgraded = await svc(['upgrade'], { cwd })
    t.equal(upgraded.code, 0, upgraded.stderr)
    t.match(upgraded.stdout, /EDIT package\.json\n {2}\+ svc-host \^0\.1\.0/)
    t.match(upgraded.stdout, /A new application \(preset full\) has, and this one does not:\n[\s\S]*svc-console/)
    t.match((await svc(['upgrade'], { cwd })).stdout, /No import has moved/)

    const tested = await run('npm', ['test'], { cwd })
    t.equal(tested.code, 0, tested.stdout + tested.stderr)
    await startsOverItsDatabase(t, cwd)
  })
}

async function startsOverItsDatabase(t: Test, cwd: string): Promise<void> {
  await mkdir(join(cwd, 'data'))
  const file = await readFile(join(VECTORS, 'older-databases/0.1.0/sqlite.db.gz'))
  await writeFile(join(cwd, 'data/old.db'), gunzipSync(file))
  const port = await freePort()
  const env = {
    DATABASE_URL: 'sqlite:data/old.db',
    PORT: String(port),
    SVC_WEBHOOK_KEY: encryptionKey,
    SEALING_KEY: encryptionKey
  }
  const server = new Running('npm', ['start'], { cwd, env })
  t.teardown(() => server.stop())
  await server.shows(/listening|http:\/\//)
  const health = await fetch(`http://127.0.0.1:${port}/svc/ops/health`)
  t.equal(health.status, 200, await health.text())
}
