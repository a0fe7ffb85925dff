/** J11: the guide from an empty folder to a verified delivery, with the very commands, lines and URLs that it has. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { readPage } from '../interop/documentation/markdown-page.ts'
import { Shop } from '../support/shop.ts'
import { repository, run, svcBin } from '../support/svc-command.ts'
import { until } from '../support/until.ts'
import { administrator, PASSWORD } from './hooked-shop.ts'

const PAGE = 'docs/guides/webhooks.md'
const ORIGIN = 'http://127.0.0.1:5151'

const page = readPage(PAGE, await readFile(join(repository, PAGE), 'utf8'))

/** The one block that has this text. */
function block(text: string): string {
  const found = page.blocks.filter(({ code }) => code.includes(text))
  if (found.length !== 1) throw new Error(`${PAGE} has ${found.length} blocks with ${text}`)
  return found[0]?.code ?? ''
}

/** The one URL of the receiver between backticks that has this text. */
function receiver(text: string): string {
  const urls = [...page.prose.join('\n').matchAll(/`(http:\/\/127\.0\.0\.1:5151\/svc\/test\/[^`]+)`/g)].map(
    ([, url]) => url
  )
  const found = urls.filter((url) => url?.includes(text))
  if (found.length !== 1) throw new Error(`${PAGE} has ${found.length} URLs with ${text}`)
  return found[0] ?? ''
}

t.test('the guide leads to a verified delivery', { timeout: 120_000 }, async (t) => {
  const shop = await Shop.create(t, 'full')
  const here = (text: string) => text.replaceAll(ORIGIN, shop.url)
  const shell = async (command: string) => {
    const { code, stdout, stderr } = await run('sh', ['-c', here(command)], { cwd: shop.folder })
    t.equal(code, 0, `${command}\n${stderr}`)
    return stdout
  }

  t.match(block('module:add'), 'npx svc module:add test')
  t.match((await shop.svc('module:add', 'test')).stdout, /EDIT svc\.config\.ts\n/)

  await shop.dev()
  const command = block('user:create').replace('npx svc', `'${process.execPath}' '${svcBin}'`)
  await shell(`printf '%s\\n' '${PASSWORD}' | ${command} --password-stdin`)

  const admin = await administrator(shop, 'root')
  const order = { url: here(receiver('status/200')), events: ['login.failure'] }
  const { endpoint, secret } = (await admin('POST', '/webhooks', order)).body
  const delivered = async (count: number) => {
    const list = async (): Promise<{ status: number }[]> =>
      (await admin('GET', `/webhooks/${endpoint.id}/deliveries`)).body.deliveries
    await until(async () => (await list()).length === count, `${count} deliveries`)
    return (await list()).map(({ status }) => status)
  }

  t.match(await shell(block('auth/login')), 'INVALID_CREDENTIALS')
  t.strictSame(await delivered(1), [200])
  t.match(await shell(block('webhooks/received')), '"type":"login.failure","verified":null')

  const url = here(receiver('sink?secret=')).replace('<secret>', encodeURIComponent(secret))
  await admin('PATCH', `/webhooks/${endpoint.id}`, { url })
  await shell(block('auth/login'))
  t.strictSame(await delivered(2), [200, 200])
  t.match(await shell(block('webhooks/received')), '"verified":true')
})
