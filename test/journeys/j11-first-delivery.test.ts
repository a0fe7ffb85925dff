/** J11, as the guide has it: from nothing to a verified delivery, with the very files that stand there. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { repository, run } from '../support/svc-command.ts'
import { hookedShop } from './hooked-shop.ts'

t.test('the guide leads to a verified delivery', async (t) => {
  const guide = await readFile(join(repository, 'docs/guides/webhooks.md'), 'utf8')
  const file = (name: string): string => {
    const [, text] = guide.split(`s file=${name}\n`)
    if (text === undefined) throw new Error(`the guide has no ${name}`)
    return text.slice(0, text.indexOf('```'))
  }
  const shop = await hookedShop(t)
  await shop.write('users.ts', file('users.ts'))
  await shop.write('try-webhook.mjs', file('try-webhook.mjs').replace('http://127.0.0.1:5151', shop.url))
  await shop.dev()
  const { code, stdout, stderr } = await run(process.execPath, ['try-webhook.mjs'], { cwd: shop.folder })
  t.equal(code, 0, stderr)
  t.equal(stdout, 'login.failure verified\n')
})
