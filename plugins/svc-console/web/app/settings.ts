/** What the server told this page, in its document. */
import type { PageSettings } from '../../src/pages/page-settings.ts'

const told = document.querySelector<HTMLMetaElement>('meta[name="svc-console"]')

export const settings = JSON.parse(told?.content ?? '') as PageSettings

export const serves = (api: string): boolean => settings.apis.includes(api)
