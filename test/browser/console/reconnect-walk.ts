/** A console whose socket breaks: after that it has every event, or says that it has not. */
import type { Browser, WebSocketRoute } from 'playwright-core'
import type { Test } from 'tap'
import { until } from '../../support/until.ts'
import type { ConsoleApp } from './console-app.ts'
import { Visitor } from './visitor.ts'

export async function reconnectWalk(t: Test, browser: Browser, { app, origin }: ConsoleApp): Promise<void> {
  const visitor = await Visitor.open(t, browser, origin)
  const { page } = visitor
  const record = (actor: string, from: number, to: number) => {
    for (let number = from; number < to; number += 1) {
      const resource = `${actor}-${number}`
      app.audit.record({ category: 'token', action: 'token.issued', outcome: 'success', actor, resource })
    }
  }
  let isDown = false
  let lists = true
  const sockets = new Set<WebSocketRoute>()
  await page.routeWebSocket(/\/svc\/realtime/, (socket) => {
    if (isDown) void socket.close()
    else {
      sockets.add(socket)
      socket.connectToServer()
    }
  })
  await page.route(/\/audit\/events\?/, (route) => (lists ? route.continue() : route.abort()))
  const breakOff = async () => {
    isDown = true
    for (const socket of sockets) await socket.close()
    sockets.clear()
    await page.getByRole('button', { name: 'Every 5 s' }).waitFor()
  }
  const live = page.getByRole('button', { name: 'Live' })
  const reconnect = async () => {
    isDown = false
    await live.waitFor()
  }
  const scrollTo = (top: number) => page.evaluate(`document.querySelector('.viewport').scrollTop = ${top}`)
  const newest = page.getByRole('row').nth(1)
  const rows = async () => Number(await page.getByRole('table').getAttribute('aria-rowcount')) - 1

  await t.test('Q5: 450 events that happened without a connection are all there', async (t) => {
    record('ada', 0, 3)
    await visitor.goto('/audit?actor=ada')
    await visitor.signIn()
    await live.waitFor()
    await page.getByText('3 events', { exact: true }).waitFor()
    await breakOff()
    record('ada', 3, 453)
    await reconnect()
    await page.getByText('453 events', { exact: true }).waitFor()
    await newest.getByText('ada-452', { exact: true }).waitFor()
    t.equal(await rows(), 453)
  })

  await t.test('Q5: while the reader is further down they wait, and none is missing', async (t) => {
    await scrollTo(4000)
    await page.getByText('ada-452', { exact: true }).waitFor({ state: 'detached' })
    await breakOff()
    record('ada', 453, 903)
    await reconnect()
    await page.getByRole('button', { name: '450 new events' }).click()
    await page.getByText('903 events', { exact: true }).waitFor()
    await scrollTo(0)
    await newest.getByText('ada-902', { exact: true }).waitFor()
    t.equal(await rows(), 903)
  })

  await t.test('Q5: where more happened than is asked for, the list begins again, and none is missing', async (t) => {
    record('grace', 0, 3)
    await visitor.goto('/audit?actor=grace')
    await live.waitFor()
    await page.getByText('3 events', { exact: true }).waitFor()
    await breakOff()
    record('grace', 3, 1403)
    await reconnect()
    await page.getByText('200+ events').waitFor()
    await newest.getByText('grace-1402', { exact: true }).waitFor()
    for (let loaded = 200; loaded < 1403; loaded += 200) {
      await page.getByText(`${loaded}+ events`).waitFor()
      await scrollTo(1e9)
    }
    await page.getByText('1403 events', { exact: true }).waitFor()
    t.equal(await rows(), 1403)
  })

  await t.test('Q5: while it does not know what it missed it does not say Live', async (t) => {
    await visitor.goto('/audit?actor=joan')
    await live.waitFor()
    await breakOff()
    record('joan', 0, 7)
    lists = false
    isDown = false
    await page.getByRole('button', { name: 'Catching up' }).waitFor()
    lists = true
    // As when the tab comes to the front again.
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await live.waitFor()
    await page.getByText('7 events', { exact: true }).waitFor()
    t.equal(await rows(), 7)
  })

  await t.test(
    'an instance that goes (1012) is followed by the next at once; any other end is waited for',
    async (t) => {
      const { clock } = page
      await clock.install()
      await visitor.goto('/audit?actor=mary')
      await live.waitFor()
      await clock.fastForward(2000)
      await clock.pauseAt(await page.evaluate(() => Date.now() + 1000))
      const end = async (code: number) => {
        const before = [...sockets]
        sockets.clear()
        for (const socket of before) await socket.close({ code })
      }
      await end(1012)
      await until(() => sockets.size > 0 || null, 'a socket, although no timer runs')
      await live.waitFor()
      await clock.fastForward(2000)
      await end(1001)
      await page.getByRole('button', { name: 'Every 5 s' }).waitFor()
      t.equal(sockets.size, 0)
      await clock.resume()
      await live.waitFor()
    }
  )
}
