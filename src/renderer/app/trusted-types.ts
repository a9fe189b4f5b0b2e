/**
 * The content security policy requires Trusted Types: the browser interprets a text as markup only
 * if a policy returns it, and this is the only one allowed. It accepts a text without `<`, which is
 * never markup: the component library writes style sheets this way. Scripts are never created from
 * texts. Browsers without Trusted Types ignore the requirement.
 */
type TrustedTypes = {
  createPolicy(name: string, rules: { createHTML(text: string): string | null }): unknown
}

const { trustedTypes } = window as Window & { trustedTypes?: TrustedTypes }
trustedTypes?.createPolicy('default', {
  createHTML: (text) => (text.includes('<') ? null : text),
})
