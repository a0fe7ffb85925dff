/** `svc orm:seal` on the real process, over a SQLite file that has rows from before. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { createdApp, write } from '../support/sandbox.ts'
import { runSvc } from '../support/svc-process.ts'

const entity = (mail: string) => `import { defineEntity, entities } from 'svc-orm'

export const Guest = defineEntity({ name: 'Guest', schema: { mail: { type: 'string'${mail} } } })

entities([Guest])(class {})
`

const SEED = `import { defineSeed } from 'svc-orm'
import { Guest } from '../entities/guest.ts'

export default defineSeed(async ({ repository }) => {
  await repository(Guest).createMany([{ mail: 'ada@example.org' }, { mail: 'ada@example.org' }])
})
`

t.setTimeout(120_000)

t.test('values are encrypted, and what could not be is named', async (t) => {
  const cwd = await createdApp(t)
  const svc = async (...given: string[]) => runSvc(given, { cwd })
  t.match(await svc('orm:seal'), { code: 1, stderr: /SVC_SEAL_NONE/ })
  await svc('module:add', 'sql')
  await write(cwd, 'entities/guest.ts', entity(''))
  await write(cwd, 'seeds/guests.ts', SEED)
  t.match(await svc('orm:seal'), { code: 0, stdout: /no entity of this application has sealed fields/ })
  t.match(await svc('orm:seed'), { code: 0 })

  await write(cwd, 'entities/guest.ts', entity(', sealed: true'))
  t.match(await svc('orm:seal'), { code: 1, stderr: /SVC_ORM_SEALING_KEY_MISSING[\s\S]*openssl rand/ })
  const config = await readFile(join(cwd, 'svc.config.ts'), 'utf8')
  const key = Buffer.alloc(32, 7).toString('base64')
  await write(cwd, 'svc.config.ts', config.replace("dir: './entities'", `dir: './entities', encryptionKey: '${key}'`))
  t.match(await svc('secrets'), { code: 1, stdout: /sealed fields +0 +2 +0/ })
  t.match(await svc('orm:seal'), { code: 0, stdout: /Guest\.mail +2 +0 +0/ })
  t.match(await svc('secrets'), { code: 0, stdout: /sealed fields +2 +0 +0/ })
  t.ok(mails(cwd).every((mail) => /^gcm1\./.test(String(mail))))

  await write(cwd, 'entities/guest.ts', entity(", sealed: 'searchable', unique: true"))
  t.match(await svc('orm:seal'), {
    code: 1,
    stdout: /Guest\.mail +1 +0 +1/,
    stderr: /SVC_SEAL_LEFT[\s\S]*1 that another row has/
  })
})

function mails(cwd: string): unknown[] {
  const database = new DatabaseSync(join(cwd, 'data/app.db'))
  try {
    return database
      .prepare('select mail from guest')
      .all()
      .map(({ mail }) => mail)
  } finally {
    database.close()
  }
}
