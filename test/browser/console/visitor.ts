/** A browser that opens the console: what it asked for and what it complained about is noted. */
import type { Browser, Page } from 'playwright-core'
import type { Test } from 'tap'
import { violationsOf } from '../../support/axe.ts'
import { PASSWORD } from './console-app.ts'
import { waitLimit } from './pace.ts'

/** Runs in a page: adds up in `moved` how much of it was moved by what came later. */
export const MOVED = `
  window.moved = 0
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.moved += value
  }).observe({ type: 'layout-shift', buffered: true })`

export class Visitor {
  readonly page: Page
  readonly base: string
  /** Errors of the console of the browser, and violations of the policy of the page. */
  readonly complaints: string[] = []
  readonly asked: string[] = []

  private constructor(page: Page, origin: string) {
    this.page = page
    this.base = `${origin}/svc/console`
    page.on('console', (message) => message.type() === 'error' && this.complaints.push(message.text()))
    page.on('pageerror', (error) => this.complaints.push(error.message))
    page.on('request', (request) => this.asked.push(request.url()))
  }

  static async open(t: Test, browser: Browser, origin: string, options: object = {}): Promise<Visitor> {
    const context = await browser.newContext({ viewport: { width: 1200, height: 750 }, ...options })
    context.setDefaultTimeout(await waitLimit(browser))
    t.teardown(() => context.close())
    return new Visitor(await context.newPage(), origin)
  }

  /** @param path below the console, with its query */
  async goto(path = ''): Promise<void> {
    await this.page.goto(this.base + path)
  }

  async signIn(name = 'root', password = PASSWORD): Promise<void> {
    await this.page.getByLabel('Name').fill(name)
    await this.page.getByLabel('Password').fill(password)
    await this.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  /** Leaves nothing of the page under way: it would be answered with 401, which the browser notes. */
  async signOut(): Promise<void> {
    await this.page.waitForLoadState('networkidle')
    await this.page.getByRole('button', { name: 'Sign out' }).click()
    await this.page.waitForURL(/\/sign-in(?:$|\?)/)
    await this.page.getByLabel('Password').waitFor()
  }

  /** What axe finds on the page as it is. */
  violations(): Promise<string[]> {
    return violationsOf(this.page)
  }

  /** By how many pixels the document, the page in it, or a row of a list is wider than its place. */
  async tooWide(): Promise<number> {
    const places = `document.querySelectorAll('html, #main, .row')`
    const beyond = `Array.from(${places}, ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)`
    return (await this.page.evaluate(`Math.max(...${beyond})`)) as number
  }

  /** Requests that left the application. */
  elsewhere(): string[] {
    const { origin } = new URL(this.base)
    return this.asked.filter((url) => !url.startsWith(`${origin}/`) && !/^(?:data|blob):/.test(url))
  }
}
