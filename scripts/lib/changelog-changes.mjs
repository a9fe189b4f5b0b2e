/**
 * The entries of one version in the changelog, as plain sentences: without Markdown, and without
 * the line breaks of the file.
 *
 * @param {string} changelog
 * @param {string} version
 * @returns {string[]}
 */
export function changesOf(changelog, version) {
  const sections = changelog.split(/^## /m)
  const section = sections.find((each) => each.startsWith(`[${version}]`))
  if (section === undefined) return []
  return section
    .split(/^- /m)
    .slice(1)
    .map((entry) =>
      entry
        .replace(/\n\n[^]*$|\n###[^]*$/, '')
        .replaceAll(/\*\*|`/g, '')
        .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
        .replaceAll(/\s+/g, ' ')
        .trim()
        .slice(0, 500),
    )
}
