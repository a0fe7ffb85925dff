/** Jobs in the console: one that fails and why, tried again alone and with others, cancelled; what is said is what is stored. */
import type { Browser } from 'playwright-core'
import type { Test } from 'tap'
import { until } from '../../support/until.ts'
import type { JobsApp } from './jobs-app.ts'
import { tabTo } from './keyboard-walk.ts'
import { Visitor } from './visitor.ts'

const LANES = [
  {
    lane: 'smtp',
    paused: false,
    waiting: 12,
    running: 4,
    oldestMs: 9_000_000,
    concurrent: 4,
    rate: { max: 100, perS: 60, burst: 10 }
  },
  { lane: 'report', paused: true, waiting: 3, running: 0, oldestMs: null, concurrent: null, rate: null }
]

export async function jobsWalk(
  t: Test,
  browser: Browser,
  { app, origin, till, stored, ended }: JobsApp
): Promise<void> {
  const visitor = await Visitor.open(t, browser, origin)
  const { page } = visitor
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const rowOf = (text: string) => page.getByRole('row').filter({ hasText: text })
  const idIn = (address: string) => new URL(address).pathname.split('/').at(-1) ?? ''

  await t.test('a job of a request fails, is seen to have failed, and runs once it is tried again', async (t) => {
    await visitor.goto('/jobs?state=failed')
    await visitor.signIn()
    await page.getByText('No job matches.').waitFor()
    t.strictSame(await visitor.violations(), [])
    await page.evaluate(`fetch('/shop/book/o-1')`)
    await until(async () => (await app.jobs.counts()).states.failed === 1, 'the failure')
    await page.getByRole('link', { name: 'Show all' }).click()
    await button('failed (1)').click()
    await rowOf('order.book').getByText('the till is out of order').waitFor()
    await rowOf('order.book').getByText('1 attempt').waitFor()
    t.strictSame(await visitor.violations(), [])
    await page.getByRole('link', { name: 'order.book' }).click()
    await page.getByRole('heading', { name: 'order.book' }).waitFor()
    await page.getByText('"order": "o-1"').waitFor()
    await page.getByRole('link', { name: 'root' }).waitFor()
    await page.getByText('by session').waitFor()
    await page.getByText('the till is out of order').waitFor()
    t.notMatch(await page.content(), 'hunter2', 'what has the name of a secret is not shown')
    t.strictSame(await visitor.violations(), [])
    const id = idIn(page.url())
    await ended(id, 'failed')
    t.strictSame(till.booked, [])
    till.works = true
    await button('Retry').click()
    await page.getByText('✓ done').waitFor()
    t.strictSame([stored('svc_job', id, 'state'), till.booked], ['done', ['o-1']])
    t.equal(await button('Retry').count(), 0, 'what is done is not tried again')
    await page.getByRole('link', { name: /^req-/ }).click()
    await page.getByRole('heading', { name: 'GET /shop/book/o-1' }).waitFor()
    const [event] = app.audit.recent(100).filter(({ action }) => action === 'job.retried')
    t.match(event, { actor: 'root', resource: id })
    t.strictSame(visitor.complaints, [])
  })

  await t.test('dead letters: failed and parked ones, and those that are chosen wait again', async (t) => {
    till.works = false
    const [second, third, fourth] = await app.jobs.addMany(
      'order.book',
      [2, 3, 4].map((n) => ({ order: `o-${n}` }))
    )
    for (const job of [second, third, fourth]) await ended(job?.id ?? '', 'failed')
    till.works = true
    await visitor.goto('/jobs/dead')
    await rowOf('order.print').getByText('parked').waitFor()
    await rowOf('order.print').getByText('no job is named "order.print"').waitFor()
    await page.getByText('4 jobs', { exact: true }).waitFor()
    t.strictSame(await visitor.violations(), [])
    t.ok(await button('Retry the chosen (0)').isDisabled())
    for (const job of [second, third]) await page.getByLabel(`Choose order.book ${job?.id}`).check()
    await button('Retry the chosen (2)').click()
    await page.getByText('2 jobs wait again.').waitFor()
    await until(() => till.booked.length === 3, 'both')
    for (const job of [second, third]) await ended(job?.id ?? '', 'done')
    t.equal(stored('svc_job', fourth?.id ?? '', 'state'), 'failed', 'what was not chosen stays')
    await page.getByText('2 jobs', { exact: true }).waitFor()

    await button('Choose all shown').click()
    await app.jobs.retry(fourth?.id ?? '')
    await until(() => till.booked.includes('o-4'), 'the one that somebody else retried')
    await button('Retry the chosen (2)').click()
    const refused = page.getByRole('alert').filter({ hasText: 'SVC_JOBS_STATE' })
    await refused.waitFor()
    await page.getByText('1 job waits again.').waitFor()
    t.match(visitor.complaints.splice(0), [/409/])
    await page.getByLabel('State').selectOption('parked')
    await page.waitForURL(/state=parked/)
    await rowOf('order.print').waitFor()
    t.strictSame(till.booked, ['o-1', 'o-2', 'o-3', 'o-4'])
    t.strictSame(visitor.complaints, [])
  })

  await t.test('all that match are retried by a job, whose page shows how far it is', async (t) => {
    till.works = false
    const orders = ['o-6', 'o-7', 'o-8'].map((order) => ({ order }))
    const added = await app.jobs.addMany('order.book', orders)
    for (const { id } of added) await ended(id, 'failed')
    till.works = true
    till.booked.length = 0
    await visitor.goto('/jobs/dead?state=failed&name=order.book')
    await page.getByText('3 jobs', { exact: true }).waitFor()
    await button('Retry all that match').click()
    const dialog = page.getByRole('dialog', { name: 'Retry all that match' })
    await dialog.getByText('every failed job of the kind order.book').waitFor()
    t.strictSame(await visitor.violations(), [])
    await dialog.getByRole('button', { name: 'Retry all', exact: true }).click()
    await page.getByRole('heading', { name: 'svc.redrive' }).waitFor()
    await page.getByText('✓ done').waitFor()
    t.strictSame(await visitor.violations(), [])
    for (const { id } of added) await ended(id, 'done')
    t.strictSame([...till.booked].sort(), ['o-6', 'o-7', 'o-8'])
    await page.getByRole('progressbar', { name: 'Progress' }).waitFor()
    t.match(
      app.audit.recent(100).find(({ action }) => action === 'job.redriven'),
      { actor: 'root' }
    )
    t.strictSame(visitor.complaints, [])
  })

  await t.test('a job that waits is cancelled, and waits again by Undo', async (t) => {
    const { id } = await app.jobs.add('report', {}, { delayS: 1800 })
    await visitor.goto('/jobs?name=report')
    await rowOf('report')
      .getByText(/^in \d+ min\.$/)
      .waitFor()
    await page.getByText('No job that is due waits.').waitFor()
    await rowOf('report').getByRole('link').click()
    await button('Cancel').click()
    await page.getByText('Cancelled.').waitFor()
    t.equal(stored('svc_job', id, 'state'), 'cancelled')
    await button('Undo').click()
    await page.getByText('✓ done').waitFor()
    t.equal(stored('svc_job', id, 'state'), 'done', 'a job that is tried again is due at once')
    t.strictSame(visitor.complaints, [])
  })

  await t.test('with the keyboard alone: to a job that failed, and again', async (t) => {
    till.works = false
    const { id } = await app.jobs.add('order.book', { order: 'o-5' })
    await ended(id, 'failed')
    till.works = true
    await visitor.goto('/audit')
    await page.getByRole('heading', { name: 'Audit' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: 'Jobs' }).waitFor()
    await tabTo(page, 'Dead letters')
    await page.keyboard.press('Enter')
    await page.getByLabel(`Choose order.book ${id}`).waitFor()
    await tabTo(page, `Choose order.book ${id}`)
    await page.keyboard.press('Space')
    await tabTo(page, 'order.book')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'order.book' }).waitFor()
    await tabTo(page, 'Retry')
    await page.keyboard.press('Enter')
    await page.getByText('✓ done').waitFor()
    t.equal(stored('svc_job', id, 'state'), 'done')
    t.strictSame(visitor.complaints, [])
  })

  await t.test('what is not there, and a list whose database fails', async (t) => {
    await visitor.goto('/jobs/job/none')
    await page.getByRole('alert').getByText('SVC_JOBS_NOT_FOUND').waitFor()
    t.match(visitor.complaints.splice(0), [/404/])
    await page.route('**/svc/jobs/api/jobs?*', (route) =>
      route.fulfill({ status: 503, json: { code: 'SVC_JOBS_UNAVAILABLE', message: 'jobs cannot be read' } })
    )
    await visitor.goto('/jobs')
    await page.getByRole('alert').getByText('SVC_JOBS_UNAVAILABLE').waitFor()
    t.equal(await page.getByText('There is no job yet.').count(), 0, 'unreachable is not empty')
    await page.unrouteAll({ behavior: 'wait' })
    await button('Try again').click()
    await rowOf('order.book').first().waitFor()
    t.match(visitor.complaints.splice(0), [/503/])
  })

  await t.test('maintenance is out of sight until it is asked for', async (t) => {
    await visitor.goto('/jobs/schedules')
    await page.getByRole('region', { name: 'report.daily' }).waitFor()
    t.equal(await page.getByRole('region', { name: 'svc.maintenance.jobs' }).count(), 0)
    await button('Maintenance jobs').click()
    await page.getByRole('region', { name: 'svc.maintenance.jobs' }).getByText('@every 600s').waitFor()
    t.equal(await page.getByRole('region', { name: 'report.daily' }).count(), 0)
    t.strictSame(await visitor.violations(), [])
    await button('Run now svc.maintenance.jobs').click()
    await page.getByText('The job of svc.maintenance.jobs waits, due at once.').waitFor()
    const id = String(
      await until(() => (stored('svc_job_schedule', 'svc.maintenance.jobs', 'lastJob') as string) ?? null, 'it')
    )
    await ended(id, 'done')
    await visitor.goto('/jobs')
    await rowOf('order.book').first().waitFor()
    t.equal(await rowOf('svc.maintenance').count(), 0)
    await button('Maintenance jobs').click()
    const link = page.locator(`a[href$="/${id}"]`)
    await page.getByRole('row').filter({ has: link }).getByText('✓ done').waitFor()
    t.equal(await rowOf('order.book').count(), 0)
    t.strictSame(await visitor.violations(), [])
    t.strictSame(visitor.complaints, [])
  })

  await t.test('schedules: their next slots, run now, paused and resumed', async (t) => {
    await visitor.goto('/jobs/schedules')
    const card = page.getByRole('region', { name: 'report.daily' })
    await card.getByText('30 6 * * *').waitFor()
    t.equal(await card.locator('.slots li').count(), 5)
    t.match(await card.locator('.slots li').first().textContent(), /6:30/, 'in the zone of the schedule')
    t.strictSame(await visitor.violations(), [])
    await button('Run now report.daily').click()
    await page.getByText('The job of report.daily waits, due at once.').waitFor()
    const id = String(
      await until(() => (stored('svc_job_schedule', 'report.daily', 'lastJob') as string) ?? null, 'it')
    )
    await ended(id, 'done')
    t.equal(stored('svc_job', id, 'name'), 'report')
    await button('Pause report.daily').click()
    await card.getByText('none while it is paused').waitFor()
    t.equal(stored('svc_job_schedule', 'report.daily', 'paused'), 1)
    await card.getByRole('link', { name: id }).waitFor()
    t.strictSame(await visitor.violations(), [])
    await button('Undo').click()
    await card.locator('.slots li').nth(4).waitFor()
    t.equal(stored('svc_job_schedule', 'report.daily', 'paused'), 0)
    const changes = app.audit.recent(100).filter(({ resource }) => resource === 'report.daily')
    t.strictSame(
      changes.map(({ action, actor }) => [action, actor]).reverse(),
      ['schedule.run', 'schedule.paused', 'schedule.resumed'].map((action) => [action, 'root'])
    )
    t.strictSame(visitor.complaints, [])
  })

  await t.test('a lane is paused: its jobs wait, until it is resumed', async (t) => {
    await visitor.goto('/jobs/queues')
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'report', exact: true }) })
    await row.getByText('1 at once').waitFor()
    await button('Pause report').click()
    await row.getByText('paused').waitFor()
    t.strictSame(await visitor.violations(), [])
    const { id } = await app.jobs.add('report')
    const next = await app.jobs.add('order.book', { order: 'o-9' })
    await ended(next.id, 'done')
    t.equal(stored('svc_job', id, 'state'), 'waiting', 'a job of another lane has run meanwhile')
    await page.reload()
    await row.waitFor()
    t.strictSame((await row.getByRole('cell').allTextContents()).slice(0, 1), ['1'])
    await button('Resume report').click()
    await row.getByText('open').waitFor()
    await ended(id, 'done')
    const changes = app.audit.recent(100).filter(({ action }) => /^lane/.test(action))
    t.strictSame(
      changes.map(({ action, actor, resource }) => [action, actor, resource]).reverse(),
      ['lane.paused', 'lane.resumed'].map((action) => [action, 'root', 'report'])
    )
    t.strictSame(visitor.complaints, [])
  })

  await t.test('queues: how much waits in each lane, and for how long, page by page', async (t) => {
    const asked: string[] = []
    await page.route('**/svc/jobs/api/lanes?*', (route) => {
      const isFirst = !route.request().url().includes('after=')
      return route.fulfill({
        json: isFirst ? { items: LANES.slice(0, 1), next: 'report' } : { items: LANES.slice(1), next: null }
      })
    })
    await page.route('**/svc/jobs/api/lanes/*/*', (route) => {
      asked.push(`${route.request().method()} ${new URL(route.request().url()).pathname}`)
      return route.fulfill({ status: 204 })
    })
    await visitor.goto('/jobs/queues')
    await button('More lanes').click()
    await button('More lanes').waitFor({ state: 'detached' })
    t.strictSame(await texts('smtp'), ['12', '2 hr. ago', '4', '4 at once, 100 in 60 s', '✓ open Pause smtp'])
    t.strictSame(await texts('report'), ['3', '–', '0', 'none', '! paused Resume report'])
    t.strictSame(await visitor.violations(), [])
    await button('Pause smtp').click()
    await page.getByText('smtp is paused: what runs goes on.').waitFor()
    t.strictSame(asked, ['POST /svc/jobs/api/lanes/smtp/pause'])
    await page.unrouteAll({ behavior: 'wait' })
    t.strictSame(visitor.complaints, [])

    async function texts(lane: string) {
      const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: lane, exact: true }) })
      return row.getByRole('cell').allTextContents()
    }
  })
}
