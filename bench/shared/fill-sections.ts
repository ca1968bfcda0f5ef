/** A section is `<!-- begin name -->` to `<!-- end name -->`; one that the page lacks is an error. */
export function fillSections(
  text: string,
  file: string,
  sections: Readonly<Record<string, string>>,
): string {
  return Object.entries(sections).reduce((page, [name, content]) => {
    const [begin, end] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`]
    const [from, to] = [page.indexOf(begin), page.indexOf(end)]
    if (from < 0 || to < from) throw new Error(`${file} has no section "${name}"`)
    return `${page.slice(0, from + begin.length)}\n${content}\n${page.slice(to)}`
  }, text)
}
