/**
 * The browser of the tests: where CHROMIUM says, else Debian's headless shell, which takes half the processor time of
 * the whole one, else that.
 */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import type { Test } from 'tap'

const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** @throws where there is none */
export function launchChromium(): Promise<Browser> {
  const program = programOf()
  if (program === null) throw new Error(`there is no browser: ${HOW}`)
  return chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
}

/** Closed with the test. @returns `null` where there is none: the test is skipped, and says so */
export async function openChromium(t: Test): Promise<Browser | null> {
  if (programOf() === null) {
    t.plan(0, `THE BROWSER TEST DID NOT RUN: ${HOW}`)
    return null
  }
  const browser = await launchChromium()
  t.teardown(() => browser.close())
  return browser
}

const HOW = 'apt-get install chromium-headless-shell, or chromium, or set CHROMIUM'

function programOf(): string | null {
  const { CHROMIUM } = process.env
  return (CHROMIUM === undefined ? INSTALLED : [CHROMIUM]).find((path) => existsSync(path)) ?? null
}
