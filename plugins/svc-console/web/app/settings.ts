/** What the server told this page, in its document. Its other half is `PageSettings` of the plugin. */

export interface Settings {
  readonly base: string
  readonly application: string | null
  readonly apis: readonly string[]
  readonly view: 'console' | 'sign-in' | 'refused'
  readonly user: { readonly identifier: string; readonly roles: readonly string[] } | null
  readonly returnTo: string
}

const told = document.querySelector<HTMLMetaElement>('meta[name="svc-console"]')

export const settings = JSON.parse(told?.content ?? '') as Settings

export const serves = (api: string): boolean => settings.apis.includes(api)
