/** Rules of the landing page beside the sheet (V58). */
export const landingStyles = `
h1{font-size:clamp(1.5rem,1rem + 2.4vw,2.5rem);line-height:1.2}
body>header{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;align-items:baseline}
.hero{display:grid;grid-template-columns:minmax(0,1fr);gap:1.25rem}
:is(.ask,.night){display:contents}
.question{order:-2}
.night .figures{order:-1;margin-top:0}
.hero .card{margin-top:.75rem}
.card>svg{max-width:30rem}
.call ol{margin-top:.75rem;padding-left:1.25rem}
.call li::marker{color:var(--quiet)}
.call pre{margin-top:.5rem;white-space:pre-wrap;overflow-wrap:anywhere}
.more{margin-top:2.5rem;padding-top:.75rem;border-top:2px solid var(--text)}
.more>p{margin-top:.25rem;max-width:46rem}
.more h3{margin-top:1.25rem}
.prices{margin-top:1.5rem;font-size:.875rem}
.prices caption{color:var(--text);font-size:1rem;font-weight:600}
.prices tr{display:grid;grid-template-columns:minmax(0,1fr) auto;column-gap:1rem;padding:.375rem 0;border-top:1px solid var(--line)}
.prices thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.prices th,.prices td{display:block;padding:0;border:0}
.prices tbody th{grid-column:1/-1}
.prices td{align-self:center}
.three{display:grid;grid-template-columns:minmax(0,1fr);gap:1.25rem 2rem;margin-top:.75rem}
.three h3{margin:0}
@media screen and (min-width:48rem){
.three{grid-template-columns:repeat(3,minmax(0,1fr))}
.prices,.prices caption{display:table;width:100%}
.prices caption{display:table-caption}
.prices thead{position:static;width:auto;height:auto;clip-path:none;display:table-header-group}
.prices tbody{display:table-row-group}
.prices tr{display:table-row}
.prices th,.prices td{display:table-cell;padding:.375rem 1rem .375rem 0;border-top:1px solid var(--line)}
.prices thead th{border-top:0}
.prices th:first-child{width:46%}
.prices tr>:last-child{width:7rem;padding-right:0}
}
@media screen and (max-width:47.99rem){.lede{font-size:1rem}}
@media screen and (min-width:64rem){
.hero{grid-template-columns:minmax(0,10fr) minmax(0,7fr);gap:3rem}
:is(.ask,.night){display:block}
.call{margin-top:1.5rem}
.night .figures{grid-template-columns:repeat(2,minmax(0,1fr));margin-top:.5rem}
.hero .card{margin-top:1.5rem}
}
@page{margin:7mm 11mm}
@media print{
body{font-size:7.5pt;line-height:1.24}
h1{font-size:13pt}
h2,h3{font-size:9pt}
body>header,body>footer{padding-top:0;padding-bottom:0}
body>footer,.prices{font-size:6.5pt}
body>footer::before{margin-bottom:.25rem}
body>footer p+p{margin-top:.125rem}
body>footer,.more{margin-top:.5rem;padding-top:.375rem}
.lede{font-size:8.5pt}
.night .figures{margin-top:.5rem;padding:.375rem 0}
.figures dt,.figures dd small{font-size:7.5pt}
.figures dd{font-size:10pt}
.hero{grid-template:auto auto 1fr/minmax(0,10fr) minmax(0,9fr);gap:0 1.25rem}
:is(.question,.call,.night .figures){grid-column:1}
.hero .card{grid-area:1/2/4;margin-top:0}
.call{margin-top:.5rem}
.call pre{margin-top:.25rem;padding:.375rem;line-height:1.35}
.call ol{margin-top:.375rem}
:is(.call pre,code){font-size:6.5pt}
.card table{margin-top:.25rem;font-size:6.5pt;line-height:1.2}
.card th,.card td{padding-top:.05rem;padding-bottom:.05rem}
.card>svg{width:72%}
.card>svg,.card>details{margin-top:.25rem}
.card summary{display:none}
.offered{columns:2;column-gap:1.25rem}
.offered>h2,.offered>p{column-span:all}
.prices{margin-top:.25rem;line-height:1.2}
.prices caption{padding:0;font-size:8pt}
.prices tr{padding:.05rem 0}
.prices thead{display:none}
.prices td a{text-decoration:none}
.readers{display:none}
}
`;
