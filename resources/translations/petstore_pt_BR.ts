<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="pt_BR" sourcelanguage="en">
<context>
<name />
<message>
<source> · </source>
<comment>between filters</comment>
<translation> · </translation>
</message>
<message>
<source> · </source>
<comment>between parts of a line</comment>
<translation> · </translation>
</message>
<message>
<source>!koi  without      =Koi  exactly      "two words"</source>
<translation>!koi  sem      =Koi  exatamente      "duas palavras"</translation>
</message>
<message>
<source>#1234  by its id</source>
<translation>#1234  pelo id</translation>
</message>
<message>
<source>&amp;About Pet Store Desktop</source>
<translation>&amp;Sobre o Pet Store Desktop</translation>
</message>
<message>
<source>&amp;Activity</source>
<translation>A&amp;tividade</translation>
</message>
<message>
<source>&amp;Back</source>
<translation>&amp;Voltar</translation>
</message>
<message>
<source>&amp;Categories</source>
<translation>&amp;Categorias</translation>
</message>
<message>
<source>&amp;Columns</source>
<translation>Col&amp;unas</translation>
</message>
<message>
<source>&amp;Compare two days</source>
<translation>&amp;Comparar dois dias</translation>
</message>
<message>
<source>&amp;Copy</source>
<translation>&amp;Copiar</translation>
</message>
<message>
<source>&amp;Copy as picture and numbers</source>
<translation>&amp;Copiar como imagem e números</translation>
</message>
<message>
<source>&amp;Copy diagnostics</source>
<translation>&amp;Copiar diagnóstico</translation>
</message>
<message>
<source>&amp;Delete</source>
<translation>E&amp;xcluir</translation>
</message>
<message>
<source>&amp;Delete this view</source>
<translation>E&amp;xcluir esta exibição</translation>
</message>
<message>
<source>&amp;Details</source>
<translation>&amp;Detalhes</translation>
</message>
<message>
<source>&amp;Edit</source>
<translation>&amp;Editar</translation>
</message>
<message>
<source>&amp;Edit value</source>
<translation>&amp;Editar valor</translation>
</message>
<message>
<source>&amp;Edit…</source>
<translation>&amp;Editar…</translation>
</message>
<message>
<source>&amp;Export this list…</source>
<translation>E&amp;xportar esta lista…</translation>
</message>
<message>
<source>&amp;Export views…</source>
<translation>Ex&amp;portar exibições…</translation>
</message>
<message>
<source>&amp;File</source>
<translation>Ar&amp;quivo</translation>
</message>
<message>
<source>&amp;Filter</source>
<translation>&amp;Filtrar</translation>
</message>
<message>
<source>&amp;Fit columns</source>
<translation>&amp;Ajustar colunas</translation>
</message>
<message>
<source>&amp;Forward</source>
<translation>&amp;Avançar</translation>
</message>
<message>
<source>&amp;Go to its pet</source>
<translation>Ir para o &amp;pet</translation>
</message>
<message>
<source>&amp;Help</source>
<translation>Aj&amp;uda</translation>
</message>
<message>
<source>&amp;History</source>
<translation>&amp;Histórico</translation>
</message>
<message>
<source>&amp;Import views…</source>
<translation>&amp;Importar exibições…</translation>
</message>
<message>
<source>&amp;Inventory</source>
<translation>E&amp;stoque</translation>
</message>
<message>
<source>&amp;Keys and marks</source>
<translation>&amp;Teclas e marcas</translation>
</message>
<message>
<source>&amp;Labels of what was counted…</source>
<translation>&amp;Etiquetas do que foi contado…</translation>
</message>
<message>
<source>&amp;Leave out or include</source>
<translation>&amp;Deixar de fora ou incluir</translation>
</message>
<message>
<source>&amp;Manual</source>
<translation>&amp;Manual</translation>
</message>
<message>
<source>&amp;Mark complete</source>
<translation>&amp;Marcar como concluído</translation>
</message>
<message>
<source>&amp;Minimum stock…</source>
<translation>Estoque &amp;mínimo…</translation>
</message>
<message>
<source>&amp;Next tab</source>
<translation>Pró&amp;xima aba</translation>
</message>
<message>
<source>&amp;Note…</source>
<translation>&amp;Nota…</translation>
</message>
<message>
<source>&amp;Open this count again</source>
<translation>&amp;Reabrir esta contagem</translation>
</message>
<message>
<source>&amp;Operations…</source>
<translation>Oper&amp;ações…</translation>
</message>
<message>
<source>&amp;Orders</source>
<translation>P&amp;edidos</translation>
</message>
<message>
<source>&amp;Paste</source>
<translation>Co&amp;lar</translation>
</message>
<message>
<source>&amp;Pets</source>
<translation>&amp;Pets</translation>
</message>
<message>
<source>&amp;Put away</source>
<translation>&amp;Dispensar</translation>
</message>
<message>
<source>&amp;Quit</source>
<translation>&amp;Sair</translation>
</message>
<message>
<source>&amp;Redo</source>
<translation>&amp;Refazer</translation>
</message>
<message>
<source>&amp;Redo {what}</source>
<translation>&amp;Refazer {what}</translation>
</message>
<message>
<source>&amp;Rename this view…</source>
<translation>&amp;Renomear esta exibição…</translation>
</message>
<message>
<source>&amp;Report…</source>
<translation>&amp;Relatório…</translation>
</message>
<message>
<source>&amp;Reset columns</source>
<translation>&amp;Redefinir colunas</translation>
</message>
<message>
<source>&amp;Save view…</source>
<translation>&amp;Salvar exibição…</translation>
</message>
<message>
<source>&amp;Shop</source>
<translation>&amp;Loja</translation>
</message>
<message>
<source>&amp;Show them</source>
<translation>&amp;Mostrar</translation>
</message>
<message>
<source>&amp;Show these rows</source>
<translation>&amp;Mostrar estas linhas</translation>
</message>
<message>
<source>&amp;Today</source>
<translation>Ho&amp;je</translation>
</message>
<message>
<source>&amp;Undo</source>
<translation>Desfa&amp;zer</translation>
</message>
<message>
<source>&amp;Undo {what}</source>
<translation>Desfa&amp;zer {what}</translation>
</message>
<message>
<source>&amp;Undo…</source>
<translation>Desfa&amp;zer…</translation>
</message>
<message>
<source>&amp;View</source>
<translation>E&amp;xibir</translation>
</message>
<message>
<source>(empty)</source>
<translation>(vazio)</translation>
</message>
<message>
<source>(no name)</source>
<translation>(sem nome)</translation>
</message>
<message>
<source>*</source>
<comment>marks a date without time zone</comment>
<translation>*</translation>
</message>
<message>
<source>+1 adds, −1 subtracts, 2 sets</source>
<translation>+1 soma, −1 subtrai, 2 define</translation>
</message>
<message>
<source>+12 adds, −3 subtracts, 40 or =40 sets</source>
<translation>+12 soma, −3 subtrai, 40 ou =40 define</translation>
</message>
<message>
<source>+N books in, -N out, and =N counts; N in digits only</source>
<translation>+N dá entrada, -N dá saída e =N conta; N só em algarismos</translation>
</message>
<message numerus="yes">
<source>+{n} pieces</source>
<translation>
<numerusform>+{n} unidade</numerusform>
<numerusform>+{n} unidades</numerusform>
</translation>
</message>
<message>
<source>, </source>
<translation>, </translation>
</message>
<message>
<source>, </source>
<comment>between names</comment>
<translation>, </translation>
</message>
<message>
<source>, </source>
<comment>between parts of a line</comment>
<translation>, </translation>
</message>
<message>
<source>--yes would be refused: {why}</source>
<translation>--yes seria recusado: {why}</translation>
</message>
<message>
<source>0 requests</source>
<translation>0 requisições</translation>
</message>
<message>
<source>1 or 2 requests each. Ctrl+Z undoes it; of a deleted order, only until it is sent.</source>
<translation>1 ou 2 solicitações cada. Ctrl+Z desfaz; de um pedido excluído, só enquanto não for enviado.</translation>
</message>
<message>
<source>1 request</source>
<translation>1 requisição</translation>
</message>
<message>
<source>5   !5   10|12</source>
<translation>5   !5   10|12</translation>
</message>
<message>
<source>; </source>
<comment>between names that have commas</comment>
<translation>; </translation>
</message>
<message>
<source>=  empty      !=  not empty</source>
<translation>=  vazio      !=  não vazio</translation>
</message>
<message>
<source>= {result}</source>
<translation>= {result}</translation>
</message>
<message>
<source>&gt;10   &gt;=10   &lt;{n}   10..20</source>
<translation>&gt;10   &gt;=10   &lt;{n}   10..20</translation>
</message>
<message>
<source>?</source>
<comment>in place of the name of a record that is not there</comment>
<translation>?</translation>
</message>
<message>
<source>A cell of the row that begins in line {n} has no end, or is too long. A quotation mark may be missing. Nothing was imported.</source>
<translation>Uma célula da linha que começa na linha {n} do arquivo não tem fim ou é longa demais. Talvez falte fechar aspas. Nada foi importado.</translation>
</message>
<message>
<source>A change belongs to the day on which it was first seen. What changed and changed back is not counted.</source>
<translation>Uma alteração pertence ao dia em que foi vista pela primeira vez. O que mudou e voltou não é contado.</translation>
</message>
<message>
<source>A code is remembered when you scan it and choose its pet. Our own labels and ids need none of this.</source>
<translation>Um código é memorizado quando você o escaneia e escolhe o pet. Nossas próprias etiquetas e os ids não precisam disso.</translation>
</message>
<message>
<source>A damaged file was set aside: {file}.</source>
<translation>Um arquivo danificado foi guardado à parte: {file}.</translation>
</message>
<message>
<source>A day, such as {example} or tomorrow; the time stays</source>
<translation>Um dia, como {example} ou amanhã; a hora não muda</translation>
</message>
<message>
<source>A few words; may be empty.</source>
<translation>Algumas palavras; pode ficar vazio.</translation>
</message>
<message>
<source>A field that is needed to tell is a guess by its name. Choose its name first (File &gt; Operations &gt; Fields).</source>
<translation>Um campo necessário para saber isso foi deduzido pelo nome. Escolha primeiro o nome dele (Arquivo &gt; Operações &gt; Campos).</translation>
</message>
<message>
<source>A file of the program</source>
<translation>Um arquivo do programa</translation>
</message>
<message>
<source>A file or an address, if the service publishes none.</source>
<translation>Um arquivo ou um endereço, se o serviço não publicar nenhum.</translation>
</message>
<message>
<source>A file with certificates that are trusted for this shop beside the system’s.</source>
<translation>Um arquivo com certificados confiáveis para esta loja, além dos do sistema.</translation>
</message>
<message>
<source>A file, an address, or a profile’s name, such as rails. Empty: the one that the service publishes.</source>
<translation>Um arquivo, um endereço ou o nome de um perfil, como rails. Vazio: o que o serviço publica.</translation>
</message>
<message>
<source>A key that you enter is held in memory for this run, and is in no file.</source>
<translation>A chave que você digitar fica na memória durante esta execução e não vai para nenhum arquivo.</translation>
</message>
<message>
<source>A network folder can lose saved changes, and two computers can use the same files at once.</source>
<translation>Uma pasta de rede pode perder alterações salvas, e dois computadores podem usar os mesmos arquivos ao mesmo tempo.</translation>
</message>
<message>
<source>A new pet has no stock entry yet: leave this cell empty.</source>
<translation>Um pet novo ainda não tem registro de estoque: deixe esta célula vazia.</translation>
</message>
<message>
<source>A pasted line was left out: {line}</source>
<translation>Uma linha colada ficou de fora: {line}</translation>
</message>
<message>
<source>A pause or a ban by the service stays until it is over.</source>
<translation>Uma pausa ou suspensão imposta pelo serviço continua até acabar.</translation>
</message>
<message>
<source>A pet belongs to a category: add the first one here.</source>
<translation>Um pet pertence a uma categoria: adicione a primeira aqui.</translation>
</message>
<message>
<source>A proxy or a sign-in page may stand in between: open the address in a browser to see what answers.</source>
<translation>Um proxy ou uma página de login pode estar no caminho: abra o endereço em um navegador para ver o que responde.</translation>
</message>
<message>
<source>A scan adds 1; a number and Enter sets how many. Ctrl+Z takes the last one back.</source>
<translation>Cada leitura soma 1; um número seguido de Enter define quantos. Ctrl+Z desfaz a última.</translation>
</message>
<message>
<source>A scan adds 1; a number and Enter sets it.
The next scan commits.</source>
<translation>Cada leitura soma 1; um número seguido de Enter define o valor.
A próxima leitura confirma.</translation>
</message>
<message>
<source>A scanner works wherever you are: its pet’s stock opens for the number.</source>
<translation>Um leitor funciona onde você estiver: o estoque do pet se abre para o número.</translation>
</message>
<message>
<source>A spreadsheet rounded this number. Format the column as text, and enter it again.</source>
<translation>Uma planilha arredondou este número. Formate a coluna como texto e digite-o de novo.</translation>
</message>
<message>
<source>A stock entry comes with its pet: add the pet.</source>
<translation>O registro de estoque vem com o pet: adicione o pet.</translation>
</message>
<message>
<source>A stock is low when it is at or below its minimum; without one, nothing is ever low.</source>
<translation>O estoque está baixo quando é igual ou inferior ao mínimo; sem mínimo, nada fica baixo.</translation>
</message>
<message>
<source>A web page came back instead of data.</source>
<translation>Veio uma página web em vez de dados.</translation>
</message>
<message>
<source>A whole shop, kept on this computer: searched as you type, offline too.</source>
<translation>Uma loja inteira, guardada neste computador: a busca acompanha o que você digita, também offline.</translation>
</message>
<message>
<source>A window of its own opens, on a copy of {shop} as it is here. Nothing in it reaches the shop.</source>
<translation>Abre-se outra janela, com uma cópia de {shop} como está aqui. Nada nela chega à loja.</translation>
</message>
<message>
<source>About Pet Store Desktop</source>
<translation>Sobre o Pet Store Desktop</translation>
</message>
<message>
<source>Activity</source>
<translation>Atividade</translation>
</message>
<message>
<source>Add a byte order mark, so that Excel reads UTF-8</source>
<translation>Adicionar marca de ordem de bytes (BOM), para o Excel ler UTF-8</translation>
</message>
<message>
<source>Add a category</source>
<translation>Adicionar uma categoria</translation>
</message>
<message>
<source>Add a pet</source>
<translation>Adicionar um pet</translation>
</message>
<message>
<source>Add an order</source>
<translation>Adicionar um pedido</translation>
</message>
<message>
<source>Add category</source>
<translation>Adicionar categoria</translation>
</message>
<message>
<source>Add pets</source>
<translation>Adicionar pets</translation>
</message>
<message numerus="yes">
<source>Add them</source>
<translation>
<numerusform>Adicioná-la</numerusform>
<numerusform>Adicioná-las</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Add them again</source>
<translation>
<numerusform>Adicioná-la de novo</numerusform>
<numerusform>Adicioná-las de novo</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Add {n}</source>
<translation>
<numerusform>Adicionar {n}</numerusform>
<numerusform>Adicionar {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Add {n} pets</source>
<translation>
<numerusform>Adicionar {n} pet</numerusform>
<numerusform>Adicionar {n} pets</numerusform>
</translation>
</message>
<message>
<source>Add {things}</source>
<translation>Adicionar {things}</translation>
</message>
<message>
<source>Adding categories</source>
<translation>A adição de categorias</translation>
</message>
<message>
<source>Adding orders</source>
<translation>A adição de pedidos</translation>
</message>
<message>
<source>Adding pets</source>
<translation>A adição de pets</translation>
</message>
<message>
<source>Address</source>
<translation>Endereço</translation>
</message>
<message>
<source>Address of the service</source>
<translation>Endereço do serviço</translation>
</message>
<message>
<source>After each code</source>
<translation>Depois de cada código</translation>
</message>
<message>
<source>All</source>
<translation>Todas</translation>
</message>
<message>
<source>All categories</source>
<translation>Todas as categorias</translation>
</message>
<message>
<source>All files (*)</source>
<translation>Todos os arquivos (*)</translation>
</message>
<message>
<source>All in Activity</source>
<translation>Tudo em Atividade</translation>
</message>
<message>
<source>All orders</source>
<translation>Todos os pedidos</translation>
</message>
<message>
<source>All other settings and connections are used. The data of your shops is still here.</source>
<translation>Todas as outras configurações e conexões são usadas. Os dados das suas lojas continuam aqui.</translation>
</message>
<message>
<source>All others are shown.</source>
<translation>Todos os outros são mostrados.</translation>
</message>
<message>
<source>All pets</source>
<translation>Todos os pets</translation>
</message>
<message>
<source>All sent, and undone since.</source>
<translation>Tudo enviado e desfeito depois.</translation>
</message>
<message>
<source>All stock</source>
<translation>Todo o estoque</translation>
</message>
<message>
<source>All stock has a pet</source>
<translation>Todo o estoque tem um pet</translation>
</message>
<message>
<source>All this is in this file, and the same beside it as JSON:</source>
<translation>Tudo isso está neste arquivo e, ao lado dele, também como JSON:</translation>
</message>
<message>
<source>All this is written to a file in {folder} first.</source>
<translation>Antes, tudo isso é gravado em um arquivo em {folder}.</translation>
</message>
<message>
<source>All times shown are this computer’s.</source>
<translation>Todos os horários mostrados são deste computador.</translation>
</message>
<message>
<source>All undone, never sent.</source>
<translation>Tudo desfeito, nunca enviado.</translation>
</message>
<message numerus="yes">
<source>All undone: {sent} after they were sent, {n} before.</source>
<translation>
<numerusform>Tudo desfeito: {sent} depois do envio, {n} antes.</numerusform>
<numerusform>Tudo desfeito: {sent} depois do envio, {n} antes.</numerusform>
</translation>
</message>
<message>
<source>All your changes there are sent.</source>
<translation>Todas as suas alterações nela foram enviadas.</translation>
</message>
<message>
<source>All {things} were searched.</source>
<translation>A busca incluiu {things}.</translation>
</message>
<message>
<source>All: {rows}</source>
<translation>Tudo: {rows}</translation>
</message>
<message>
<source>Already has this value: costs nothing</source>
<translation>Já tem este valor: sem custo</translation>
</message>
<message>
<source>Amber</source>
<translation>Âmbar</translation>
</message>
<message>
<source>An order stays with its pet.</source>
<translation>Um pedido permanece com seu pet.</translation>
</message>
<message>
<source>Animations</source>
<translation>Animações</translation>
</message>
<message>
<source>Another connection has this name; choose another.</source>
<translation>Outra conexão tem este nome; escolha outro.</translation>
</message>
<message>
<source>Another value</source>
<translation>Outro valor</translation>
</message>
<message>
<source>Another window uses this data folder.</source>
<translation>Outra janela usa esta pasta de dados.</translation>
</message>
<message>
<source>Answer</source>
<translation>Resposta</translation>
</message>
<message>
<source>Any day</source>
<translation>Qualquer dia</translation>
</message>
<message>
<source>Any status</source>
<translation>Qualquer status</translation>
</message>
<message>
<source>As here: {limits}</source>
<translation>Como aqui: {limits}</translation>
</message>
<message>
<source>As many as in stock</source>
<translation>A quantidade em estoque</translation>
</message>
<message>
<source>As many as received</source>
<translation>A quantidade recebida</translation>
</message>
<message>
<source>As seen {time}</source>
<translation>Visto: {time}</translation>
</message>
<message>
<source>Ask once a week</source>
<translation>Verificar uma vez por semana</translation>
</message>
<message>
<source>Ask the proxy’s administrator which certificate it needs.</source>
<translation>Pergunte ao administrador do proxy de qual certificado ele precisa.</translation>
</message>
<message>
<source>Ask the proxy’s administrator, or exclude this service (NO_PROXY).</source>
<translation>Fale com o administrador do proxy ou crie uma exceção para este serviço (NO_PROXY).</translation>
</message>
<message>
<source>Ask the proxy’s administrator.</source>
<translation>Fale com o administrador do proxy.</translation>
</message>
<message>
<source>Ask the service’s provider for a newer one, or choose another document.</source>
<translation>Peça um mais novo ao provedor do serviço ou escolha outro documento.</translation>
</message>
<message>
<source>Ask the service’s provider for the permission, or use another key.</source>
<translation>Peça a permissão ao provedor do serviço ou use outra chave.</translation>
</message>
<message>
<source>Ask the service’s provider to allow it, or use another key.</source>
<translation>Peça ao provedor do serviço que libere isso ou use outra chave.</translation>
</message>
<message>
<source>Ask the service’s provider to let this key read, or use another key.</source>
<translation>Peça ao provedor do serviço que libere a leitura para esta chave ou use outra chave.</translation>
</message>
<message>
<source>Ask the service’s provider.</source>
<translation>Fale com o provedor do serviço.</translation>
</message>
<message>
<source>Ask the service’s provider. If it is a mistake, end the pause in the window: Shop &gt; Resume now. A key that resumes too early may be banned.</source>
<translation>Fale com o provedor do serviço. Se for um engano, encerre a pausa na janela: Loja &gt; Retomar agora. Uma chave que retoma cedo demais pode ser suspensa.</translation>
</message>
<message>
<source>Asking the service…</source>
<translation>Consultando o serviço…</translation>
</message>
<message numerus="yes">
<source>At least {n}: there may be more that were not read</source>
<translation>
<numerusform>Pelo menos {n}: pode haver mais que não foram lidos</numerusform>
<numerusform>Pelo menos {n}: pode haver mais que não foram lidos</numerusform>
</translation>
</message>
<message>
<source>At most {n} cells can be changed at once.</source>
<translation>É possível alterar no máximo {n} células de uma vez.</translation>
</message>
<message>
<source>At this address the service has no such list: {said}.</source>
<translation>Neste endereço o serviço não tem esta lista: {said}.</translation>
</message>
<message>
<source>Automatic</source>
<translation>Automático</translation>
</message>
<message>
<source>Automatic ({endpoint})</source>
<translation>Automático ({endpoint})</translation>
</message>
<message>
<source>Automatic ({name})</source>
<translation>Automático ({name})</translation>
</message>
<message>
<source>Back</source>
<translation>Voltar</translation>
</message>
<message>
<source>Bar code scanner</source>
<translation>Leitor de código de barras</translation>
</message>
<message>
<source>Bar codes</source>
<translation>Códigos de barras</translation>
</message>
<message>
<source>Bar codes (*.json)</source>
<translation>Códigos de barras (*.json)</translation>
</message>
<message>
<source>Bar codes…</source>
<translation>Códigos de barras…</translation>
</message>
<message>
<source>Bar |</source>
<translation>Barra |</translation>
</message>
<message>
<source>Bars of {width} mm: hard to scan. Choose QR, or larger labels.</source>
<translation>Barras de {width} mm: difíceis de escanear. Escolha QR ou etiquetas maiores.</translation>
</message>
<message>
<source>Bars of {width} mm: safe for hand scanners</source>
<translation>Barras de {width} mm: boas para leitores de mão</translation>
</message>
<message>
<source>Batch</source>
<translation>Lote</translation>
</message>
<message>
<source>Beep</source>
<translation>Bipe</translation>
</message>
<message>
<source>Before</source>
<translation>Antes</translation>
</message>
<message>
<source>Before each code</source>
<translation>Antes de cada código</translation>
</message>
<message>
<source>Before: {day}</source>
<translation>Antes: {day}</translation>
</message>
<message>
<source>Begun {began}, closed {ended}.</source>
<translation>Início: {began}, fim: {ended}.</translation>
</message>
<message>
<source>Begun {time}.</source>
<translation>Início: {time}.</translation>
</message>
<message>
<source>Below zero</source>
<translation>Abaixo de zero</translation>
</message>
<message>
<source>Big5, Chinese</source>
<translation>Big5, chinês</translation>
</message>
<message>
<source>Blind count</source>
<translation>Contagem cega</translation>
</message>
<message>
<source>Blue</source>
<translation>Azul</translation>
</message>
<message>
<source>Book</source>
<translation>Lançar</translation>
</message>
<message>
<source>Book the count</source>
<translation>Lançar a contagem</translation>
</message>
<message>
<source>Book the count: {what}</source>
<translation>Lançar a contagem: {what}</translation>
</message>
<message numerus="yes">
<source>Book {n} lines</source>
<translation>
<numerusform>Lançar {n} linha</numerusform>
<numerusform>Lançar {n} linhas</numerusform>
</translation>
</message>
<message>
<source>Booked</source>
<translation>Lançado</translation>
</message>
<message>
<source>Booked in or out</source>
<translation>Entrada ou saída</translation>
</message>
<message>
<source>Browse…</source>
<translation>Procurar…</translation>
</message>
<message>
<source>Built with</source>
<translation>Feito com</translation>
</message>
<message>
<source>By</source>
<translation>Onde</translation>
</message>
<message>
<source>C&amp;hanges</source>
<translation>A&amp;lterações</translation>
</message>
<message>
<source>C&amp;heck the connection…</source>
<translation>Verificar a co&amp;nexão…</translation>
</message>
<message>
<source>C&amp;hoose a view…</source>
<translation>&amp;Escolher exibição…</translation>
</message>
<message>
<source>C&amp;lear filter</source>
<translation>Limpar filtr&amp;o</translation>
</message>
<message>
<source>CA file (optional)</source>
<translation>Arquivo de CA (opcional)</translation>
</message>
<message>
<source>Cancel</source>
<translation>Cancelar</translation>
</message>
<message>
<source>Cancel an order</source>
<translation>Cancelar um pedido</translation>
</message>
<message>
<source>Cancel or&amp;der…</source>
<translation>Cancelar pe&amp;dido…</translation>
</message>
<message>
<source>Cancelling orders</source>
<translation>O cancelamento de pedidos</translation>
</message>
<message>
<source>Cannot be redone: {what} ({why})</source>
<translation>Não pode ser refeito: {what} ({why})</translation>
</message>
<message>
<source>Cannot be undone: {what} ({why})</source>
<translation>Não pode ser desfeito: {what} ({why})</translation>
</message>
<message>
<source>Categories</source>
<translation>Categorias</translation>
</message>
<message>
<source>Categories changed today</source>
<translation>Categorias alteradas hoje</translation>
</message>
<message>
<source>Categories that need attention</source>
<translation>Categorias que requerem atenção</translation>
</message>
<message>
<source>Category</source>
<translation>Categoria</translation>
</message>
<message>
<source>Category id</source>
<translation>Id da categoria</translation>
</message>
<message>
<source>Certificate</source>
<translation>Certificado</translation>
</message>
<message>
<source>Certificates</source>
<translation>Certificados</translation>
</message>
<message>
<source>Certificates (*.pem *.crt *.cer)</source>
<translation>Certificados (*.pem *.crt *.cer)</translation>
</message>
<message>
<source>Certificates to trust, if your company signs its own.</source>
<translation>Certificados confiáveis, se a sua empresa emite os próprios.</translation>
</message>
<message>
<source>Change</source>
<translation>Alteração</translation>
</message>
<message>
<source>Change &amp;key…</source>
<translation>Trocar c&amp;have…</translation>
</message>
<message>
<source>Change a category</source>
<translation>Alterar uma categoria</translation>
</message>
<message>
<source>Change a pet</source>
<translation>Alterar um pet</translation>
</message>
<message>
<source>Change an order</source>
<translation>Alterar um pedido</translation>
</message>
<message>
<source>Change it and send it again, or discard it.</source>
<translation>Altere e reenvie, ou descarte.</translation>
</message>
<message>
<source>Change key…</source>
<translation>Trocar chave…</translation>
</message>
<message>
<source>Change stock</source>
<translation>Alterar estoque</translation>
</message>
<message>
<source>Change the category of {things}</source>
<translation>Alterar a categoria de {things}</translation>
</message>
<message>
<source>Change the description of {things}</source>
<translation>Alterar a descrição de {things}</translation>
</message>
<message>
<source>Change the line, or choose another profile. The manual says what one may say.</source>
<translation>Altere a linha ou escolha outro perfil. O manual diz o que ele pode conter.</translation>
</message>
<message>
<source>Change the quantity of {things}</source>
<translation>Alterar a quantidade de {things}</translation>
</message>
<message>
<source>Change the ship date of {things}</source>
<translation>Alterar a data de envio de {things}</translation>
</message>
<message>
<source>Change the state of {things}</source>
<translation>Alterar a situação de {things}</translation>
</message>
<message>
<source>Change the status of {things}</source>
<translation>Alterar o status de {things}</translation>
</message>
<message>
<source>Change the stock of {things}</source>
<translation>Alterar o estoque de {things}</translation>
</message>
<message>
<source>Change this size…</source>
<translation>Alterar este tamanho…</translation>
</message>
<message numerus="yes">
<source>Change {n}</source>
<translation>
<numerusform>Alterar {n}</numerusform>
<numerusform>Alterar {n}</numerusform>
</translation>
</message>
<message>
<source>Change {things}</source>
<translation>Alterar {things}</translation>
</message>
<message>
<source>Changed about when it was counted: recount or decide</source>
<translation>Alterado perto da hora da contagem: reconte ou decida</translation>
</message>
<message>
<source>Changed between {since} and {time}</source>
<translation>Alterado entre {since} e {time}</translation>
</message>
<message>
<source>Changed elsewhere meanwhile: {theirs}. Nothing was overwritten.</source>
<translation>Alterado em outro lugar nesse meio-tempo: {theirs}. Nada foi sobrescrito.</translation>
</message>
<message>
<source>Changed meanwhile: left out</source>
<translation>Alterado nesse meio-tempo: de fora</translation>
</message>
<message>
<source>Changed on this computer since it was counted: recount or decide</source>
<translation>Alterado neste computador desde a contagem: reconte ou decida</translation>
</message>
<message>
<source>Changed on this computer since: recount or decide</source>
<translation>Alterado neste computador desde então: reconte ou decida</translation>
</message>
<message>
<source>Changed today</source>
<translation>Alterados hoje</translation>
</message>
<message>
<source>Changed today</source>
<comment>a record</comment>
<translation>Alterado hoje</translation>
</message>
<message>
<source>Changes</source>
<translation>Alterações</translation>
</message>
<message>
<source>Changes between the two moments</source>
<translation>Alterações entre os dois momentos</translation>
</message>
<message>
<source>Changes from {then} to {now}</source>
<translation>Alterações de {then} a {now}</translation>
</message>
<message>
<source>Changes of this record: its name or id</source>
<translation>Alterações deste registro: nome ou id</translation>
</message>
<message>
<source>Changes wait for the old address; send or discard them first.</source>
<translation>Há alterações aguardando para o endereço antigo; envie-as ou descarte-as primeiro.</translation>
</message>
<message>
<source>Changes wait: the rest of today’s requests is kept for you</source>
<translation>Alterações aguardam: o resto das requisições de hoje fica guardado para você</translation>
</message>
<message>
<source>Changing categories</source>
<translation>A alteração de categorias</translation>
</message>
<message>
<source>Changing orders</source>
<translation>A alteração de pedidos</translation>
</message>
<message>
<source>Changing pets</source>
<translation>A alteração de pets</translation>
</message>
<message>
<source>Changing stock</source>
<translation>A alteração do estoque</translation>
</message>
<message>
<source>Check &amp;live</source>
<translation>Con&amp;ferir ao vivo</translation>
</message>
<message>
<source>Check again</source>
<translation>Verificar de novo</translation>
</message>
<message>
<source>Check again after that.</source>
<translation>Verifique de novo depois disso.</translation>
</message>
<message>
<source>Check its path or address, or leave it out.</source>
<translation>Confira o caminho ou o endereço dele ou deixe-o de fora.</translation>
</message>
<message>
<source>Check its permissions.</source>
<translation>Confira as permissões dele.</translation>
</message>
<message>
<source>Check live</source>
<translation>Conferir ao vivo</translation>
</message>
<message>
<source>Check that the keyring runs and is unlocked, then forget the connection again.</source>
<translation>Veja se o chaveiro está em execução e desbloqueado e esqueça a conexão de novo.</translation>
</message>
<message>
<source>Check the address and its path (it often ends in /v1). If the service has other paths, add its document, or choose what it is built with.</source>
<translation>Confira o endereço e o caminho (costuma terminar em /v1). Se o serviço tem outros caminhos, adicione o documento dele ou escolha com o que ele é feito.</translation>
</message>
<message>
<source>Check the address and its path, or ask the service’s provider for the new one.</source>
<translation>Confira o endereço e o caminho ou peça o novo ao provedor do serviço.</translation>
</message>
<message>
<source>Check the address and its path, or ask the service’s provider.</source>
<translation>Confira o endereço e o caminho ou fale com o provedor do serviço.</translation>
</message>
<message>
<source>Check the address and its path.</source>
<translation>Confira o endereço e o caminho.</translation>
</message>
<message>
<source>Check the address and its path: this may be another service.</source>
<translation>Confira o endereço e o caminho: este pode ser outro serviço.</translation>
</message>
<message>
<source>Check the address and the document in the connection’s settings.</source>
<translation>Confira o endereço e o documento nas configurações da conexão.</translation>
</message>
<message>
<source>Check the address, and what the document in the connection’s settings says about this list.</source>
<translation>Confira o endereço e o que o documento nas configurações da conexão diz sobre esta lista.</translation>
</message>
<message>
<source>Check the address, or choose another document.</source>
<translation>Confira o endereço ou escolha outro documento.</translation>
</message>
<message>
<source>Check the address.</source>
<translation>Confira o endereço.</translation>
</message>
<message>
<source>Check the address: it must have the name that the certificate is for.</source>
<translation>Confira o endereço: ele precisa ter o nome a que o certificado se refere.</translation>
</message>
<message>
<source>Check the address; a name inside a company may need its network first.</source>
<translation>Confira o endereço; um nome interno da empresa pode exigir que você esteja na rede dela.</translation>
</message>
<message>
<source>Check the address; the service may be down.</source>
<translation>Confira o endereço; o serviço pode estar fora do ar.</translation>
</message>
<message>
<source>Check the connection to {shop}</source>
<translation>Verificar a conexão com {shop}</translation>
</message>
<message>
<source>Check the disk and restart the program. Make the last change again only if it is missing then.</source>
<translation>Confira o disco e reinicie o programa. Refaça a última alteração só se ela faltar depois disso.</translation>
</message>
<message>
<source>Check the disk, then restart the program.</source>
<translation>Confira o disco e reinicie o programa.</translation>
</message>
<message>
<source>Check the disk, then try again.</source>
<translation>Confira o disco e tente de novo.</translation>
</message>
<message>
<source>Check the document, or choose another one.</source>
<translation>Confira o documento ou escolha outro.</translation>
</message>
<message>
<source>Check the keyring’s own program, then enter the key again.</source>
<translation>Confira o programa do próprio chaveiro e digite a chave de novo.</translation>
</message>
<message>
<source>Check the network, or a VPN that may be needed.</source>
<translation>Confira a rede ou a VPN que talvez seja necessária.</translation>
</message>
<message>
<source>Check the path of the address, or ask the service’s provider for the right one.</source>
<translation>Confira o caminho do endereço ou peça o certo ao provedor do serviço.</translation>
</message>
<message>
<source>Check the permissions of its folder, then restart the program.</source>
<translation>Confira as permissões da pasta e reinicie o programa.</translation>
</message>
<message>
<source>Check the permissions of its folder, then try again.</source>
<translation>Confira as permissões da pasta e tente de novo.</translation>
</message>
<message>
<source>Check the port in the address.</source>
<translation>Confira a porta no endereço.</translation>
</message>
<message>
<source>Check the port in the address; the key is never sent unencrypted.</source>
<translation>Confira a porta no endereço; a chave nunca é enviada sem criptografia.</translation>
</message>
<message>
<source>Check the port; a firewall can do this as well.</source>
<translation>Confira a porta; um firewall também pode causar isso.</translation>
</message>
<message>
<source>Check the proxy’s address and the network.</source>
<translation>Confira o endereço do proxy e a rede.</translation>
</message>
<message>
<source>Check the record live.</source>
<translation>Confira o registro ao vivo.</translation>
</message>
<message>
<source>Check this computer’s clock. If it is right, ask the service’s provider.</source>
<translation>Confira o relógio deste computador. Se estiver certo, fale com o provedor do serviço.</translation>
</message>
<message>
<source>Check this computer’s clock. If it is right, the service’s provider must renew the certificate.</source>
<translation>Confira o relógio deste computador. Se estiver certo, o provedor do serviço precisa renovar o certificado.</translation>
</message>
<message>
<source>Check whether another window asks for its password, then check again.</source>
<translation>Veja se outra janela está pedindo a senha dele e verifique de novo.</translation>
</message>
<message>
<source>Check whether another window asks for its password, then enter the key again.</source>
<translation>Veja se outra janela está pedindo a senha dele e digite a chave de novo.</translation>
</message>
<message>
<source>Check whether the disk is full or its folder is write-protected.</source>
<translation>Veja se o disco está cheio ou se a pasta está protegida contra gravação.</translation>
</message>
<message>
<source>Check whether the disk is full, then restart the program. The earlier version still works.</source>
<translation>Veja se o disco está cheio e reinicie o programa. A versão anterior continua funcionando.</translation>
</message>
<message>
<source>Check your last changes, and make the missing ones again.</source>
<translation>Confira suas últimas alterações e refaça as que faltarem.</translation>
</message>
<message>
<source>Choose QR, or larger labels.</source>
<translation>Escolha QR ou etiquetas maiores.</translation>
</message>
<message>
<source>Choose a category</source>
<translation>Escolha uma categoria</translation>
</message>
<message>
<source>Choose a category.</source>
<translation>Escolha uma categoria.</translation>
</message>
<message>
<source>Choose a day</source>
<translation>Escolher um dia</translation>
</message>
<message>
<source>Choose a document with those for pets, categories, orders and stock alone.</source>
<translation>Escolha um documento só com as de pets, categorias, pedidos e estoque.</translation>
</message>
<message>
<source>Choose a file from “Export views”. If it is incomplete, export or copy it again.</source>
<translation>Escolha um arquivo de “Exportar exibições”. Se estiver incompleto, exporte-o ou copie-o de novo.</translation>
</message>
<message>
<source>Choose a file from “Export” of “Bar codes”. If it is incomplete, export or copy it again.</source>
<translation>Escolha um arquivo de “Exportar” em “Códigos de barras”. Se estiver incompleto, exporte-o ou copie-o de novo.</translation>
</message>
<message>
<source>Choose a file in PEM form, with BEGIN CERTIFICATE in it.</source>
<translation>Escolha um arquivo em formato PEM, com BEGIN CERTIFICATE dentro.</translation>
</message>
<message>
<source>Choose a file with only the certificates of the authority that the service needs.</source>
<translation>Escolha um arquivo só com os certificados da autoridade de que o serviço precisa.</translation>
</message>
<message>
<source>Choose a file, or move this away, then try again.</source>
<translation>Escolha um arquivo, ou mova isto para outro lugar, e tente de novo.</translation>
</message>
<message>
<source>Choose a file…</source>
<translation>Escolher arquivo…</translation>
</message>
<message>
<source>Choose a pet.</source>
<translation>Escolha um pet.</translation>
</message>
<message>
<source>Choose a row first.</source>
<translation>Escolha primeiro uma linha.</translation>
</message>
<message>
<source>Choose another document, or connect without one.</source>
<translation>Escolha outro documento ou conecte sem nenhum.</translation>
</message>
<message>
<source>Choose another document.</source>
<translation>Escolha outro documento.</translation>
</message>
<message>
<source>Choose another file, or put it back.</source>
<translation>Escolha outro arquivo ou coloque-o de volta.</translation>
</message>
<message>
<source>Choose another file…</source>
<translation>Escolher outro arquivo…</translation>
</message>
<message>
<source>Choose another folder, or create this one.</source>
<translation>Escolha outra pasta ou crie esta.</translation>
</message>
<message>
<source>Choose another place…</source>
<translation>Escolher outro lugar…</translation>
</message>
<message>
<source>Choose its pet</source>
<translation>Escolher o pet</translation>
</message>
<message>
<source>Choose larger labels.</source>
<translation>Escolha etiquetas maiores.</translation>
</message>
<message>
<source>Choose open or complete.</source>
<translation>Escolha aberto ou concluído.</translation>
</message>
<message>
<source>Choose pets</source>
<translation>Escolher pets</translation>
</message>
<message>
<source>Choose the OpenAPI document</source>
<translation>Escolher o documento OpenAPI</translation>
</message>
<message>
<source>Choose the days first.</source>
<translation>Escolha primeiro os dias.</translation>
</message>
<message>
<source>Choose the file with certificates</source>
<translation>Escolher o arquivo com certificados</translation>
</message>
<message>
<source>Choose the plan that the program counts by. The demo shop keeps the plan it was started with.</source>
<translation>Escolha o plano pelo qual o programa conta. A loja demo mantém o plano com que foi iniciada.</translation>
</message>
<message>
<source>Choose your plan in the connection’s settings. Until then the program sends one request at a time.</source>
<translation>Escolha seu plano nas configurações da conexão. Até lá, o programa envia uma requisição por vez.</translation>
</message>
<message>
<source>Choose…</source>
<translation>Escolher…</translation>
</message>
<message>
<source>Chosen pets</source>
<translation>Pets escolhidos</translation>
</message>
<message numerus="yes">
<source>Chosen; {n} more fields of this record to choose</source>
<translation>
<numerusform>Escolhido; falta escolher {n} campo deste registro</numerusform>
<numerusform>Escolhido; falta escolher {n} campos deste registro</numerusform>
</translation>
</message>
<message>
<source>Clear all</source>
<translation>Limpar tudo</translation>
</message>
<message>
<source>Clear all filters</source>
<translation>Limpar todos os filtros</translation>
</message>
<message>
<source>Clear filter</source>
<translation>Limpar filtro</translation>
</message>
<message>
<source>Click a place on the sheet to begin there.</source>
<translation>Clique em um lugar da folha para começar ali.</translation>
</message>
<message>
<source>Clock</source>
<translation>Relógio</translation>
</message>
<message>
<source>Clocks differ by {length}</source>
<translation>Relógios diferem em {length}</translation>
</message>
<message>
<source>Close</source>
<translation>Fechar</translation>
</message>
<message>
<source>Close Pet Store Desktop?</source>
<translation>Fechar o Pet Store Desktop?</translation>
</message>
<message>
<source>Close details</source>
<translation>Fechar detalhes</translation>
</message>
<message>
<source>Close that program, then restart this one.</source>
<translation>Feche esse programa e reinicie este.</translation>
</message>
<message>
<source>Close that program, then try again.</source>
<translation>Feche esse programa e tente de novo.</translation>
</message>
<message>
<source>Close the count &amp;without booking</source>
<translation>Encerrar a contagem &amp;sem lançar</translation>
</message>
<message>
<source>Close the preview before you go on counting.</source>
<translation>Feche a prévia antes de continuar a contagem.</translation>
</message>
<message>
<source>Close without importing?</source>
<translation>Fechar sem importar?</translation>
</message>
<message>
<source>Close without saving?</source>
<translation>Fechar sem salvar?</translation>
</message>
<message>
<source>Code</source>
<translation>Código</translation>
</message>
<message>
<source>Code 128</source>
<translation>Code 128</translation>
</message>
<message>
<source>Col&amp;umns shown</source>
<translation>Col&amp;unas visíveis</translation>
</message>
<message>
<source>Colour beside its name</source>
<translation>Cor ao lado do nome</translation>
</message>
<message>
<source>Column</source>
<translation>Coluna</translation>
</message>
<message>
<source>Column in the file</source>
<translation>Coluna no arquivo</translation>
</message>
<message numerus="yes">
<source>Column {n}</source>
<translation>
<numerusform>Coluna {n}</numerusform>
<numerusform>Coluna {n}</numerusform>
</translation>
</message>
<message>
<source>Columns</source>
<translation>Colunas</translation>
</message>
<message>
<source>Columns: {columns}.</source>
<translation>Colunas: {columns}.</translation>
</message>
<message>
<source>Comma</source>
<translation>Vírgula</translation>
</message>
<message>
<source>Compare both values, then send yours again or discard it.</source>
<translation>Compare os dois valores e reenvie o seu ou descarte-o.</translation>
</message>
<message>
<source>Compare from {time}</source>
<translation>Comparar desde {time}</translation>
</message>
<message>
<source>Compare the record with what you wanted, and change it where needed.</source>
<translation>Compare o registro com o que você queria e altere-o onde for preciso.</translation>
</message>
<message>
<source>Compare the records of your last changes with what you wanted (Activity).</source>
<translation>Compare os registros das suas últimas alterações com o que você queria (Atividade).</translation>
</message>
<message>
<source>Compare this computer’s clock with another one, such as a phone’s.</source>
<translation>Compare o relógio deste computador com outro, como o de um celular.</translation>
</message>
<message>
<source>Compare two days</source>
<translation>Comparar dois dias</translation>
</message>
<message>
<source>Compare up to now</source>
<translation>Comparar até agora</translation>
</message>
<message>
<source>Comparing {n} of {total}</source>
<translation>Comparando {n} de {total}</translation>
</message>
<message numerus="yes">
<source>Comparing: {n} %</source>
<translation>
<numerusform>Comparando: {n}%</numerusform>
<numerusform>Comparando: {n}%</numerusform>
</translation>
</message>
<message>
<source>Complete</source>
<translation>Concluído</translation>
</message>
<message>
<source>Connect</source>
<translation>Conectar</translation>
</message>
<message>
<source>Connect &amp;another shop…</source>
<translation>Conectar &amp;outra loja…</translation>
</message>
<message>
<source>Connect again under the same name and address.</source>
<translation>Conecte de novo com o mesmo nome e endereço.</translation>
</message>
<message>
<source>Connect another shop</source>
<translation>Conectar outra loja</translation>
</message>
<message>
<source>Connect to a network.</source>
<translation>Conecte-se a uma rede.</translation>
</message>
<message>
<source>Connect your shop</source>
<translation>Conectar sua loja</translation>
</message>
<message>
<source>Connection &amp;settings…</source>
<translation>Configurações &amp;da conexão…</translation>
</message>
<message>
<source>Connection settings</source>
<translation>Configurações da conexão</translation>
</message>
<message>
<source>Continue</source>
<translation>Continuar</translation>
</message>
<message>
<source>Cop&amp;y id</source>
<translation>Cop&amp;iar id</translation>
</message>
<message>
<source>Copies</source>
<translation>Cópias</translation>
</message>
<message>
<source>Copy</source>
<translation>Copiar</translation>
</message>
<message>
<source>Copy &amp;requests for support</source>
<translation>Copiar &amp;requisições para o suporte</translation>
</message>
<message>
<source>Copy diagnostics</source>
<translation>Copiar diagnóstico</translation>
</message>
<message>
<source>Copy for support</source>
<translation>Copiar para o suporte</translation>
</message>
<message>
<source>Copy it again, and nothing else with it.</source>
<translation>Copie-a de novo, sem mais nada junto.</translation>
</message>
<message>
<source>Copy it again, without spaces and line breaks.</source>
<translation>Copie-a de novo, sem espaços nem quebras de linha.</translation>
</message>
<message>
<source>Copy the &amp;sentence</source>
<translation>Copia&amp;r a frase</translation>
</message>
<message>
<source>Copy the sentence ({key})</source>
<translation>Copiar a frase ({key})</translation>
</message>
<message>
<source>Copy the whole key again, or ask for another one.</source>
<translation>Copie a chave inteira de novo ou peça outra.</translation>
</message>
<message>
<source>Copy the whole key again, or ask for another one. If the service expects the key in an unusual place, add its OpenAPI document.</source>
<translation>Copie a chave inteira de novo ou peça outra. Se o serviço espera a chave em um lugar incomum, adicione o documento OpenAPI dele.</translation>
</message>
<message>
<source>Copy this key again, or ask the service’s provider for another one.</source>
<translation>Copie esta chave de novo ou peça outra ao provedor do serviço.</translation>
</message>
<message>
<source>Copy with &amp;headers</source>
<translation>Copiar co&amp;m cabeçalhos</translation>
</message>
<message numerus="yes">
<source>Copy {n} wrong rows with the reasons</source>
<translation>
<numerusform>Copiar {n} linha errada com o motivo</numerusform>
<numerusform>Copiar {n} linhas erradas com os motivos</numerusform>
</translation>
</message>
<message>
<source>Correct the clock that is wrong. Pauses are exact all the same.</source>
<translation>Acerte o relógio que estiver errado. As pausas são exatas mesmo assim.</translation>
</message>
<message>
<source>Could not be refreshed</source>
<translation>Não foi possível atualizar</translation>
</message>
<message>
<source>Count {pet} again: scan it, or type its number. Undo brings back its count.</source>
<translation>Conte {pet} de novo: escaneie-o ou digite a quantidade. Desfazer traz a contagem de volta.</translation>
</message>
<message>
<source>Counted</source>
<translation>Contado</translation>
</message>
<message>
<source>Counted</source>
<comment>a list</comment>
<translation>Contados</translation>
</message>
<message>
<source>Counted at</source>
<translation>Contado em</translation>
</message>
<message>
<source>Counted by</source>
<translation>Contado por</translation>
</message>
<message>
<source>Counted by {who}.</source>
<translation>Contado por {who}.</translation>
</message>
<message>
<source>Counted here: the service does not say.</source>
<translation>Contado aqui: o serviço não informa.</translation>
</message>
<message>
<source>Counting goes on; review the variances again when it is done.</source>
<translation>A contagem continua; revise as divergências de novo quando terminar.</translation>
</message>
<message>
<source>Create</source>
<translation>Criação</translation>
</message>
<message>
<source>Ctrl+Enter shows it in its list</source>
<translation>Ctrl+Enter mostra na lista</translation>
</message>
<message>
<source>Ctrl+Z undoes all of it, even tomorrow.</source>
<translation>Ctrl+Z desfaz tudo, mesmo amanhã.</translation>
</message>
<message>
<source>Ctrl+Z undoes it only until it is sent.</source>
<translation>Ctrl+Z só desfaz enquanto não for enviado.</translation>
</message>
<message>
<source>Ctrl+Z undoes it until it is sent. After that this service cannot restore it.</source>
<translation>Ctrl+Z desfaz enquanto não for enviado. Depois disso, este serviço não pode restaurar.</translation>
</message>
<message>
<source>Ctrl+Z undoes it, but sent new records stay: this service does not delete them.</source>
<translation>Ctrl+Z desfaz, mas novos registros já enviados ficam: este serviço não os exclui.</translation>
</message>
<message>
<source>Ctrl+Z undoes it, sent or not, tomorrow too.</source>
<translation>Ctrl+Z desfaz, enviado ou não, amanhã também.</translation>
</message>
<message numerus="yes">
<source>Ctrl+Z undoes it. Once sent, undo adds these {n} again with new ids.</source>
<translation>
<numerusform>Ctrl+Z desfaz. Depois de enviado, desfazer o adiciona de novo com um novo id.</numerusform>
<numerusform>Ctrl+Z desfaz. Depois de enviado, desfazer adiciona estes {n} de novo com novos ids.</numerusform>
</translation>
</message>
<message>
<source>Dark</source>
<translation>Escuro</translation>
</message>
<message>
<source>Data chec&amp;ks</source>
<translation>Verificações de dad&amp;os</translation>
</message>
<message>
<source>Data folder</source>
<translation>Pasta de dados</translation>
</message>
<message>
<source>Data kept on this computer needs no request.</source>
<translation>Dados guardados neste computador não precisam de requisição.</translation>
</message>
<message>
<source>Dates</source>
<translation>Datas</translation>
</message>
<message>
<source>Day</source>
<translation>Dia</translation>
</message>
<message>
<source>Day.Month.Year</source>
<translation>Dia/Mês/Ano</translation>
</message>
<message>
<source>Days</source>
<translation>Dias</translation>
</message>
<message>
<source>Decide</source>
<translation>Decidir</translation>
</message>
<message>
<source>Del</source>
<translation>Del</translation>
</message>
<message>
<source>Delete</source>
<translation>Excluir</translation>
</message>
<message>
<source>Delete</source>
<comment>a change</comment>
<translation>Exclusão</translation>
</message>
<message>
<source>Delete a category</source>
<translation>Excluir uma categoria</translation>
</message>
<message>
<source>Delete a pet</source>
<translation>Excluir um pet</translation>
</message>
<message>
<source>Delete order {id}?</source>
<translation>Excluir o pedido {id}?</translation>
</message>
<message>
<source>Delete puts this away until there are more.</source>
<translation>A tecla Delete dispensa isto até haver mais.</translation>
</message>
<message>
<source>Delete them again, or ask the service’s provider why it keeps them.</source>
<translation>Exclua-os de novo ou pergunte ao provedor do serviço por que ele os mantém.</translation>
</message>
<message>
<source>Delete this size</source>
<translation>Excluir este tamanho</translation>
</message>
<message numerus="yes">
<source>Delete {n}</source>
<translation>
<numerusform>Excluir {n}</numerusform>
<numerusform>Excluir {n}</numerusform>
</translation>
</message>
<message>
<source>Delete {things}</source>
<translation>Excluir {things}</translation>
</message>
<message>
<source>Delete {things}?</source>
<translation>Excluir {things}?</translation>
</message>
<message>
<source>Delete {view}</source>
<translation>Excluir {view}</translation>
</message>
<message>
<source>Deleting categories</source>
<translation>A exclusão de categorias</translation>
</message>
<message>
<source>Deleting pets</source>
<translation>A exclusão de pets</translation>
</message>
<message numerus="yes">
<source>Delivery: {n} lines</source>
<translation>
<numerusform>Recebimento: {n} linha</numerusform>
<numerusform>Recebimento: {n} linhas</numerusform>
</translation>
</message>
<message>
<source>Deprecated: was to be removed on {day}</source>
<translation>Obsoleta: deveria ser removida em {day}</translation>
</message>
<message>
<source>Deprecated: will be removed on {day}, {left}</source>
<translation>Obsoleta: será removida em {day}, {left}</translation>
</message>
<message>
<source>Deprecated: will be removed some day</source>
<translation>Obsoleta: será removida algum dia</translation>
</message>
<message>
<source>Description</source>
<translation>Descrição</translation>
</message>
<message>
<source>Details</source>
<translation>Detalhes</translation>
</message>
<message>
<source>Diagnostics are on the clipboard.</source>
<translation>O diagnóstico está na área de transferência.</translation>
</message>
<message>
<source>Difference</source>
<translation>Diferença</translation>
</message>
<message>
<source>Disc&amp;ard changes of this view</source>
<translation>Desc&amp;artar as alterações desta exibição</translation>
</message>
<message>
<source>Discard</source>
<translation>Descartar</translation>
</message>
<message>
<source>Discard changes of {view}</source>
<translation>Descartar as alterações de {view}</translation>
</message>
<message>
<source>Discard mine</source>
<translation>Descartar o meu</translation>
</message>
<message>
<source>Discard {changes}?</source>
<translation>Descartar {changes}?</translation>
</message>
<message>
<source>Discarded</source>
<translation>Descartadas</translation>
</message>
<message>
<source>Discarded {time}, never sent.</source>
<translation>Descartada ({time}), nunca enviada.</translation>
</message>
<message>
<source>Discarded {time}.</source>
<translation>Descartada ({time}).</translation>
</message>
<message>
<source>Discarded {time}; the service had refused it.</source>
<translation>Descartada ({time}); o serviço a havia recusado.</translation>
</message>
<message numerus="yes">
<source>Do not add them</source>
<translation>
<numerusform>Não adicioná-la</numerusform>
<numerusform>Não adicioná-las</numerusform>
</translation>
</message>
<message>
<source>Do not ask</source>
<translation>Não verificar</translation>
</message>
<message>
<source>Do not continue. Ask the service’s provider.</source>
<translation>Não continue. Fale com o provedor do serviço.</translation>
</message>
<message>
<source>Document</source>
<translation>Documento</translation>
</message>
<message>
<source>Don’t say this again</source>
<translation>Não mostrar isto de novo</translation>
</message>
<message>
<source>Due today</source>
<translation>Para hoje</translation>
</message>
<message>
<source>E&amp;xclude this</source>
<translation>Oc&amp;ultar este valor</translation>
</message>
<message>
<source>EUC-KR, Korean</source>
<translation>EUC-KR, coreano</translation>
</message>
<message>
<source>Each code that was scanned is a pet’s.</source>
<translation>Cada código escaneado é de um pet.</translation>
</message>
<message>
<source>Each scan is a line here, saved at once. Book them when all is scanned.</source>
<translation>Cada leitura é uma linha aqui, salva na hora. Lance tudo quando terminar de escanear.</translation>
</message>
<message>
<source>Earlier</source>
<translation>Antes</translation>
</message>
<message>
<source>Earlier saved changes are safe. The last change may be saved after all.</source>
<translation>As alterações salvas antes estão seguras. A última alteração talvez tenha sido salva mesmo assim.</translation>
</message>
<message>
<source>Earlier saved changes are safe; the last change is not.</source>
<translation>As alterações salvas antes estão seguras; a última, não.</translation>
</message>
<message>
<source>Ed&amp;it cell</source>
<translation>Edit&amp;ar célula</translation>
</message>
<message>
<source>Edit</source>
<translation>Editar</translation>
</message>
<message>
<source>Edit &amp;stock</source>
<translation>Edi&amp;tar estoque</translation>
</message>
<message>
<source>Edit of many rows</source>
<translation>Edição de várias linhas</translation>
</message>
<message>
<source>Edit {name}</source>
<translation>Editar {name}</translation>
</message>
<message>
<source>Editing these costs {requests}</source>
<translation>Editar custa {requests}</translation>
</message>
<message>
<source>Empty for none. 0 marks only sold-out stock.</source>
<translation>Vazio: nenhum. 0 marca só estoque esgotado.</translation>
</message>
<message>
<source>Empty for the category’s. 0 marks only sold-out stock.</source>
<translation>Vazio: vale o da categoria. 0 marca só estoque esgotado.</translation>
</message>
<message>
<source>Empty for the category’s: {n}. 0 marks only sold-out stock.</source>
<translation>Vazio: vale o da categoria, {n}. 0 marca só estoque esgotado.</translation>
</message>
<message>
<source>Empty for the category’s: {n}. The column To order counts up to it.</source>
<translation>Vazio: vale o da categoria, {n}. A coluna “A repor” conta até ele.</translation>
</message>
<message>
<source>Empty keeps each value. 0 marks only sold-out stock.</source>
<translation>Vazio: cada um mantém o seu. 0 marca só estoque esgotado.</translation>
</message>
<message>
<source>Empty keeps each value. The column To order counts up to it.</source>
<translation>Vazio: cada um mantém o seu. A coluna “A repor” conta até ele.</translation>
</message>
<message>
<source>Empty to order up to the minimum. The column To order counts up to it.</source>
<translation>Vazio: repor até o mínimo. A coluna “A repor” conta até ele.</translation>
</message>
<message>
<source>Encoding</source>
<translation>Codificação</translation>
</message>
<message>
<source>End</source>
<translation>Fim</translation>
</message>
<message>
<source>End</source>
<comment>the rehearsal</comment>
<translation>Encerrar</translation>
</message>
<message>
<source>End</source>
<comment>what plays by itself</comment>
<translation>Encerrar</translation>
</message>
<message>
<source>End the rehearsal?</source>
<translation>Encerrar a simulação?</translation>
</message>
<message>
<source>End: {day}</source>
<translation>Fim: {day}</translation>
</message>
<message>
<source>Endless roll, {width} mm wide</source>
<translation>Rolo contínuo, {width} mm de largura</translation>
</message>
<message>
<source>Enough for today at this pace</source>
<translation>Neste ritmo, bastam para hoje</translation>
</message>
<message>
<source>Enough for today at this pace.</source>
<translation>Neste ritmo, bastam para hoje.</translation>
</message>
<message>
<source>Enter</source>
<translation>Enter</translation>
</message>
<message>
<source>Enter a date.</source>
<translation>Digite uma data.</translation>
</message>
<message>
<source>Enter a day, such as {example}.</source>
<translation>Digite um dia, como {example}.</translation>
</message>
<message>
<source>Enter a day: fri, +3, tomorrow, {example}</source>
<translation>Digite um dia: sex, +3, amanhã, {example}</translation>
</message>
<message>
<source>Enter a key.</source>
<translation>Digite uma chave.</translation>
</message>
<message>
<source>Enter a name.</source>
<translation>Digite um nome.</translation>
</message>
<message>
<source>Enter a number from 0 to {most}</source>
<translation>Digite um número de 0 a {most}</translation>
</message>
<message>
<source>Enter a number.</source>
<translation>Digite um número.</translation>
</message>
<message>
<source>Enter a valid date.</source>
<translation>Digite uma data válida.</translation>
</message>
<message>
<source>Enter a whole number</source>
<translation>Digite um número inteiro</translation>
</message>
<message>
<source>Enter a whole number as the id.</source>
<translation>Digite um número inteiro como id.</translation>
</message>
<message>
<source>Enter a whole number from 1 to {most}.</source>
<translation>Digite um número inteiro de 1 a {most}.</translation>
</message>
<message>
<source>Enter a whole number, such as 5.</source>
<translation>Digite um número inteiro, como 5.</translation>
</message>
<message>
<source>Enter a whole number.</source>
<translation>Digite um número inteiro.</translation>
</message>
<message>
<source>Enter a whole number: no fraction.</source>
<translation>Digite um número inteiro, sem fração.</translation>
</message>
<message>
<source>Enter an address.</source>
<translation>Digite um endereço.</translation>
</message>
<message>
<source>Enter an id.</source>
<translation>Digite um id.</translation>
</message>
<message>
<source>Enter another key.</source>
<translation>Digite outra chave.</translation>
</message>
<message>
<source>Enter another key: this one is wrong, or was revoked. Until then nothing is sent.</source>
<translation>Digite outra chave: esta está errada ou foi revogada. Até lá, nada é enviado.</translation>
</message>
<message>
<source>Enter at least 1, or leave it empty.</source>
<translation>Digite pelo menos 1 ou deixe vazio.</translation>
</message>
<message>
<source>Enter at least 1.</source>
<translation>Digite pelo menos 1.</translation>
</message>
<message>
<source>Enter at least the minimum.</source>
<translation>Digite pelo menos o mínimo.</translation>
</message>
<message>
<source>Enter chooses, Esc leaves</source>
<translation>Enter escolhe, Esc sai</translation>
</message>
<message>
<source>Enter it in the window (File &gt; Change key), or give it by this name with `petstore-desktop connect --further-key`.</source>
<translation>Digite-a na janela (Arquivo &gt; Trocar chave) ou informe-a com este nome usando `petstore-desktop connect --further-key`.</translation>
</message>
<message>
<source>Enter it in the window (File &gt; Change key), or give it with `petstore-desktop connect --key-stdin`.</source>
<translation>Digite-a na janela (Arquivo &gt; Trocar chave) ou informe-a com `petstore-desktop connect --key-stdin`.</translation>
</message>
<message>
<source>Enter shows the rows of this batch, or hides them.</source>
<translation>Enter mostra ou oculta as linhas deste lote.</translation>
</message>
<message>
<source>Enter the key.</source>
<translation>Digite a chave.</translation>
</message>
<message>
<source>Enter the name of a file.</source>
<translation>Digite o nome de um arquivo.</translation>
</message>
<message>
<source>Enter the value, or give the address with it, such as {example}.</source>
<translation>Digite o valor ou informe o endereço com ele, como {example}.</translation>
</message>
<message>
<source>Enter them.</source>
<translation>Digite-os.</translation>
</message>
<message>
<source>Entries that the service keeps for its pets are shown here.</source>
<translation>Os registros que o serviço mantém para seus pets aparecem aqui.</translation>
</message>
<message>
<source>Every change is listed here once it is saved: when, which record, and how it ended.</source>
<translation>Cada alteração aparece aqui assim que é salva: quando, em qual registro e como terminou.</translation>
</message>
<message>
<source>Every change is sent and confirmed.</source>
<translation>Todas as alterações foram enviadas e confirmadas.</translation>
</message>
<message>
<source>Every name fits</source>
<translation>Todos os nomes cabem</translation>
</message>
<message>
<source>Every order has a pet, a quantity and a date</source>
<translation>Todos os pedidos têm pet, quantidade e data</translation>
</message>
<message>
<source>Every order is of a pet that exists</source>
<translation>Todos os pedidos são de um pet que existe</translation>
</message>
<message>
<source>Every pet has a category</source>
<translation>Todos os pets têm categoria</translation>
</message>
<message>
<source>Every pet needs a category, but there is none, and this service cannot add one.</source>
<translation>Todo pet precisa de uma categoria, mas não há nenhuma, e este serviço não pode adicionar uma.</translation>
</message>
<message>
<source>Every request to the service is listed here: when it was sent, for whom, and the answer.</source>
<translation>Cada requisição ao serviço aparece aqui: quando foi enviada, para quem e a resposta.</translation>
</message>
<message>
<source>Everything else goes on.</source>
<translation>Todo o resto continua.</translation>
</message>
<message>
<source>Everything else works.</source>
<translation>Todo o resto funciona.</translation>
</message>
<message>
<source>Everything here is sent</source>
<translation>Tudo aqui foi enviado</translation>
</message>
<message>
<source>Everything saved on this computer is safe.</source>
<translation>Tudo o que foi salvo neste computador está seguro.</translation>
</message>
<message>
<source>Everything works</source>
<translation>Tudo funciona</translation>
</message>
<message>
<source>Example</source>
<translation>Exemplo</translation>
</message>
<message>
<source>Excel workbook (.xlsx)</source>
<translation>Pasta de trabalho do Excel (.xlsx)</translation>
</message>
<message>
<source>Expected</source>
<translation>Esperado</translation>
</message>
<message>
<source>Export</source>
<translation>Exportar</translation>
</message>
<message>
<source>Export bar codes</source>
<translation>Exportar códigos de barras</translation>
</message>
<message>
<source>Export changes</source>
<translation>Exportar alterações</translation>
</message>
<message>
<source>Export views</source>
<translation>Exportar exibições</translation>
</message>
<message>
<source>Export {view}</source>
<translation>Exportar {view}</translation>
</message>
<message>
<source>Export…</source>
<translation>Exportar…</translation>
</message>
<message>
<source>Fields</source>
<translation>Campos</translation>
</message>
<message>
<source>File</source>
<translation>Arquivo</translation>
</message>
<message>
<source>Fill</source>
<translation>Preenchimento</translation>
</message>
<message>
<source>Fill dow&amp;n</source>
<translation>Preencher para &amp;baixo</translation>
</message>
<message>
<source>Fill in the empty fields above.</source>
<translation>Preencha os campos vazios acima.</translation>
</message>
<message>
<source>Fill the bloc&amp;k</source>
<translation>&amp;Preencher o bloco</translation>
</message>
<message>
<source>Filter</source>
<translation>Filtro</translation>
</message>
<message>
<source>Filter &amp;by this</source>
<translation>Filtrar por e&amp;ste valor</translation>
</message>
<message>
<source>Filter over all columns</source>
<translation>Filtro em todas as colunas</translation>
</message>
<message>
<source>Filter this colu&amp;mn</source>
<translation>Filtrar esta colu&amp;na</translation>
</message>
<message>
<source>Filter {column}</source>
<translation>Filtrar {column}</translation>
</message>
<message>
<source>Filter: name or id</source>
<translation>Filtro: nome ou id</translation>
</message>
<message>
<source>Filter: name, id, field, here or elsewhere</source>
<translation>Filtro: nome, id, campo, aqui ou outro lugar</translation>
</message>
<message>
<source>Finish: nothing to send</source>
<translation>Concluir: nada para enviar</translation>
</message>
<message>
<source>First cells</source>
<translation>Primeiras células</translation>
</message>
<message>
<source>First seen</source>
<translation>Visto em</translation>
</message>
<message>
<source>First start of a day</source>
<translation>Primeira abertura do dia</translation>
</message>
<message>
<source>Fit co&amp;lumns</source>
<translation>Ajustar co&amp;lunas</translation>
</message>
<message>
<source>For</source>
<translation>Para</translation>
</message>
<message>
<source>For a spreadsheet (*.csv)</source>
<translation>Para planilha (*.csv)</translation>
</message>
<message>
<source>For another address, connect another shop.</source>
<translation>Para outro endereço, conecte outra loja.</translation>
</message>
<message>
<source>For another value, connect another shop.</source>
<translation>Para outro valor, conecte outra loja.</translation>
</message>
<message>
<source>For programs (*.json)</source>
<translation>Para programas (*.json)</translation>
</message>
<message>
<source>For programs (.json)</source>
<translation>Para programas (.json)</translation>
</message>
<message>
<source>For some operations the service wants another key: {key}.</source>
<translation>Para algumas operações, o serviço exige outra chave: {key}.</translation>
</message>
<message>
<source>Forget</source>
<translation>Esquecer</translation>
</message>
<message>
<source>Forget this shop…</source>
<translation>Esquecer esta loja…</translation>
</message>
<message>
<source>Forget {shop}?</source>
<translation>Esquecer {shop}?</translation>
</message>
<message>
<source>Forward</source>
<translation>Avançar</translation>
</message>
<message>
<source>Found</source>
<translation>Resultado</translation>
</message>
<message>
<source>Free some disk space, then restart the program.</source>
<translation>Libere espaço no disco e reinicie o programa.</translation>
</message>
<message>
<source>Free some disk space, then try again.</source>
<translation>Libere espaço no disco e tente de novo.</translation>
</message>
<message>
<source>Free&amp;ze columns up to here</source>
<translation>Con&amp;gelar colunas até aqui</translation>
</message>
<message>
<source>From</source>
<translation>De</translation>
</message>
<message>
<source>From one day to another</source>
<translation>De um dia a outro</translation>
</message>
<message>
<source>From this network there is no way to {host}.</source>
<translation>Desta rede não há caminho até {host}.</translation>
</message>
<message>
<source>From what this computer has read; what moved and moved back between two readings is not in it.</source>
<translation>Segundo o que este computador leu; o que mudou e voltou entre duas leituras não aparece.</translation>
</message>
<message>
<source>From your rehearsal; nothing of it has reached the shop yet.</source>
<translation>Da sua simulação; nada disso chegou à loja ainda.</translation>
</message>
<message>
<source>From {time}</source>
<translation>Desde {time}</translation>
</message>
<message>
<source>Full again at {time}.</source>
<translation>Renovação: {time}.</translation>
</message>
<message>
<source>GB 18030, Chinese</source>
<translation>GB 18030, chinês</translation>
</message>
<message>
<source>Gap between columns</source>
<translation>Espaço entre colunas</translation>
</message>
<message>
<source>Gap between rows</source>
<translation>Espaço entre linhas</translation>
</message>
<message>
<source>General</source>
<translation>Geral</translation>
</message>
<message>
<source>Give the base address of its API, such as https://shop.example/v1.</source>
<translation>Informe o endereço base da API, como https://shop.example/v1.</translation>
</message>
<message>
<source>Go to its c&amp;ategory</source>
<translation>Ir para a cate&amp;goria</translation>
</message>
<message>
<source>Go to its s&amp;tock</source>
<translation>Ir para o esto&amp;que</translation>
</message>
<message>
<source>Go to the record</source>
<translation>Ir para o registro</translation>
</message>
<message>
<source>Gone</source>
<comment>a record that is no longer there</comment>
<translation>Removido</translation>
</message>
<message>
<source>Gone</source>
<comment>records that are no longer there</comment>
<translation>Removidos</translation>
</message>
<message>
<source>Green</source>
<translation>Verde</translation>
</message>
<message>
<source>H&amp;ide this column</source>
<translation>Ocultar es&amp;ta coluna</translation>
</message>
<message>
<source>HTTP status</source>
<translation>Status HTTP</translation>
</message>
<message>
<source>Has no stock entry</source>
<translation>Não tem registro de estoque</translation>
</message>
<message>
<source>Header row</source>
<translation>Linha de cabeçalho</translation>
</message>
<message>
<source>High contrast</source>
<translation>Alto contraste</translation>
</message>
<message>
<source>History</source>
<translation>Histórico</translation>
</message>
<message>
<source>Holds the id. A scan of it finds the pet, also offline.</source>
<translation>Contém o id. A leitura do código encontra o pet, também offline.</translation>
</message>
<message>
<source>How long they last is not known yet</source>
<translation>Ainda não se sabe quanto duram</translation>
</message>
<message>
<source>How many operations can be used with this choice is not known before the service is asked again.</source>
<translation>Só se saberá quantas operações podem ser usadas com esta escolha depois de consultar o serviço de novo.</translation>
</message>
<message>
<source>I&amp;mport…</source>
<translation>I&amp;mportar…</translation>
</message>
<message>
<source>Id</source>
<translation>Id</translation>
</message>
<message>
<source>Id of the pet</source>
<translation>Id do pet</translation>
</message>
<message>
<source>If it happens again, ask the service’s provider, and look for other programs that use this key.</source>
<translation>Se acontecer de novo, fale com o provedor do serviço e procure outros programas que usem esta chave.</translation>
</message>
<message>
<source>If it has them elsewhere: choose them in File &gt; Operations, or give its document with --document.</source>
<translation>Se ele as tem em outro lugar: escolha-as em Arquivo &gt; Operações ou informe o documento dele com --document.</translation>
</message>
<message>
<source>If it is a pet shop, choose its operations in File &gt; Operations.</source>
<translation>Se for um pet shop, escolha as operações dele em Arquivo &gt; Operações.</translation>
</message>
<message>
<source>If it is right, you don’t need to do anything.</source>
<translation>Se estiver certo, você não precisa fazer nada.</translation>
</message>
<message>
<source>If it is wrong, set it: late orders and all times shown depend on it.</source>
<translation>Se estiver errado, acerte-o: os pedidos atrasados e todos os horários mostrados dependem dele.</translation>
</message>
<message>
<source>If that address is right, enter it.</source>
<translation>Se esse endereço estiver certo, digite-o.</translation>
</message>
<message>
<source>If that address is right, use it instead.</source>
<translation>Se esse endereço estiver certo, use-o no lugar do outro.</translation>
</message>
<message>
<source>If that is right, choose it in File &gt; Operations.</source>
<translation>Se estiver certo, escolha isso em Arquivo &gt; Operações.</translation>
</message>
<message>
<source>If the service has moved, change the connection’s address; a sign-in page means that it is the wrong one.</source>
<translation>Se o serviço mudou de lugar, altere o endereço da conexão; uma página de login significa que o endereço está errado.</translation>
</message>
<message>
<source>If the service publishes no OpenAPI document.</source>
<translation>Se o serviço não publicar nenhum documento OpenAPI.</translation>
</message>
<message>
<source>If this happens often, the shop needs a larger plan.</source>
<translation>Se isso acontecer com frequência, a loja precisa de um plano maior.</translation>
</message>
<message>
<source>If this is the right server, set its authority’s certificate as the connection’s CA file.</source>
<translation>Se este for o servidor certo, use o certificado da autoridade dele como arquivo de CA da conexão.</translation>
</message>
<message>
<source>If you know your plan, choose it in File, Connection settings.</source>
<translation>Se você sabe qual é o seu plano, escolha-o em Arquivo, Configurações da conexão.</translation>
</message>
<message>
<source>If you send now, the key may be banned. Then nothing works with it for hours.</source>
<translation>Se você enviar agora, a chave pode ser suspensa. Nesse caso, nada funcionará com ela por horas.</translation>
</message>
<message>
<source>If you trust that address, choose it as the connection’s document.</source>
<translation>Se você confia nesse endereço, escolha-o como documento da conexão.</translation>
</message>
<message>
<source>If your scanner types something before or after each code, enter it here. Leave Enter and Tab out.</source>
<translation>Se o seu leitor digita algo antes ou depois de cada código, informe-o aqui. Não inclua Enter nem Tab.</translation>
</message>
<message>
<source>Import</source>
<translation>Importar</translation>
</message>
<message>
<source>Import as</source>
<translation>Importar como</translation>
</message>
<message>
<source>Import bar codes</source>
<translation>Importar códigos de barras</translation>
</message>
<message>
<source>Import column {name} as</source>
<translation>Importar a coluna {name} como</translation>
</message>
<message>
<source>Import of {file}</source>
<translation>Importação de {file}</translation>
</message>
<message>
<source>Import of {file} by a script</source>
<translation>Importação de {file} por um script</translation>
</message>
<message>
<source>Import views</source>
<translation>Importar exibições</translation>
</message>
<message>
<source>Import {file}</source>
<translation>Importar {file}</translation>
</message>
<message>
<source>Imported before</source>
<translation>Já importada</translation>
</message>
<message>
<source>Import…</source>
<translation>Importar…</translation>
</message>
<message>
<source>In conflict</source>
<translation>Em conflito</translation>
</message>
<message>
<source>In millimetres, as the box of the labels says. A roll has one label across and one down.</source>
<translation>Em milímetros, como na caixa das etiquetas. Um rolo tem uma etiqueta na horizontal e uma na vertical.</translation>
</message>
<message numerus="yes">
<source>In row {n}</source>
<translation>
<numerusform>Na linha {n}</numerusform>
<numerusform>Na linha {n}</numerusform>
</translation>
</message>
<message>
<source>In stock</source>
<translation>Em estoque</translation>
</message>
<message numerus="yes">
<source>In stock {stock}, but {n} are on order.</source>
<translation>
<numerusform>Em estoque: {stock}, mas em pedidos: {n}.</numerusform>
<numerusform>Em estoque: {stock}, mas em pedidos: {n}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>In stock {stock}, {n} on order.</source>
<translation>
<numerusform>Em estoque: {stock}; em pedidos: {n}.</numerusform>
<numerusform>Em estoque: {stock}; em pedidos: {n}.</numerusform>
</translation>
</message>
<message>
<source>In stock {stock}.</source>
<translation>Em estoque: {stock}.</translation>
</message>
<message>
<source>In stock, each</source>
<translation>Em estoque, cada um</translation>
</message>
<message>
<source>In the order of the screen. Ids keep all their digits, and no text becomes a formula.</source>
<translation>Na ordem da tela. Os ids mantêm todos os dígitos, e nenhum texto vira fórmula.</translation>
</message>
<message>
<source>In the rehearsal: {what}.</source>
<translation>Na simulação: {what}.</translation>
</message>
<message>
<source>Include it</source>
<translation>Incluí-lo</translation>
</message>
<message>
<source>Incomplete</source>
<translation>Incompleto</translation>
</message>
<message>
<source>Incomplete orders</source>
<translation>Pedidos incompletos</translation>
</message>
<message>
<source>Install the later version again.</source>
<translation>Instale a versão mais recente de novo.</translation>
</message>
<message>
<source>Invented pets and orders, with real request limits. Runs on this computer; no account needed.</source>
<translation>Pets e pedidos inventados, com limites reais de requisições. Roda neste computador; não exige conta.</translation>
</message>
<message>
<source>Inventory</source>
<translation>Estoque</translation>
</message>
<message>
<source>It answered {said}.</source>
<translation>Ele respondeu: {said}.</translation>
</message>
<message>
<source>It cannot work just now, and answered {said}.</source>
<translation>Ele está indisponível agora e respondeu: {said}.</translation>
</message>
<message>
<source>It continues where it stopped.</source>
<translation>Ela continua de onde parou.</translation>
</message>
<message>
<source>It could also be {endpoint}.</source>
<translation>Também poderia ser {endpoint}.</translation>
</message>
<message>
<source>It counts {counts}.</source>
<translation>Contagem do serviço: {counts}.</translation>
</message>
<message>
<source>It did not say clearly how long, so the program waits longer each time.</source>
<translation>Ele não informou claramente quanto tempo, por isso o programa espera mais a cada vez.</translation>
</message>
<message>
<source>It does not say its limits; the program counts by the plan that you gave.</source>
<translation>Ele não informa seus limites; o programa conta pelo plano que você indicou.</translation>
</message>
<message>
<source>It does so when a program keeps sending after it was asked to wait.</source>
<translation>Ele faz isso quando um programa continua enviando mesmo depois de ser avisado para esperar.</translation>
</message>
<message>
<source>It gets a data folder of its own; this shop stays.</source>
<translation>A nova loja recebe uma pasta de dados própria; esta permanece.</translation>
</message>
<message>
<source>It goes into this computer’s keyring if it has one, never into a file.</source>
<translation>Ela vai para o chaveiro deste computador, se houver, nunca para um arquivo.</translation>
</message>
<message>
<source>It has no id, so it is new. {reason}</source>
<translation>Não tem id, portanto é novo. {reason}</translation>
</message>
<message>
<source>It has no list to read, so none was tried.</source>
<translation>Não há lista para ler, por isso nenhuma foi testada.</translation>
</message>
<message>
<source>It is back: what you did goes out by itself.</source>
<translation>Voltou: o que você fez é enviado sozinho.</translation>
</message>
<message>
<source>It is checked when sending resumes</source>
<translation>Será conferido quando o envio for retomado</translation>
</message>
<message>
<source>It is full again at {time}.</source>
<translation>Renovação: {time}.</translation>
</message>
<message>
<source>It is kept in the history and in the protocol.</source>
<translation>Ela fica no histórico e na ata.</translation>
</message>
<message>
<source>It is not certain which record a change of {things} would reach by this id: {name}. So they are only read.</source>
<translation>Não é certo qual registro uma alteração de {things} atingiria com este ID: {name}. Por isso, eles são apenas lidos.</translation>
</message>
<message>
<source>It is not certain which record {shop} would change by this id. A profile says what its ids mean (File &gt; Operations &gt; Save as profile).</source>
<translation>Não é certo qual registro {shop} alteraria com este ID. Um perfil diz o que os IDs significam (Arquivo &gt; Operações &gt; Salvar como perfil).</translation>
</message>
<message numerus="yes">
<source>It is not known whether {changes} arrived: check at the service before you make them again.</source>
<translation>
<numerusform>Não se sabe se {changes} chegou: verifique no serviço antes de refazê-la.</numerusform>
<numerusform>Não se sabe se {changes} chegaram: verifique no serviço antes de refazê-las.</numerusform>
</translation>
</message>
<message>
<source>It is read from the service now, and stays in the list here.</source>
<translation>É lido do serviço agora e fica na lista daqui.</translation>
</message>
<message>
<source>It is sent in the address, as {name}.</source>
<translation>Ela é enviada no endereço, como {name}.</translation>
</message>
<message>
<source>It is sent in the header {name}.</source>
<translation>Ela é enviada no cabeçalho {name}.</translation>
</message>
<message>
<source>It is unchanged, with everything saved. Until it is upgraded nothing can be changed or sent.</source>
<translation>Ele está intacto, com tudo o que foi salvo. Até ser convertido, nada pode ser alterado nem enviado.</translation>
</message>
<message>
<source>It is {status} already.</source>
<translation>Ele já está {status}.</translation>
</message>
<message>
<source>It may be a colleague’s. Keep mine deletes it.</source>
<translation>Pode ser de um colega. “Manter o meu” o exclui.</translation>
</message>
<message>
<source>It may be done or not; nothing is sent twice by itself.</source>
<translation>Pode ter sido feito ou não; o programa não reenvia nada sozinho.</translation>
</message>
<message>
<source>It may be overloaded. Try again later, or ask its provider.</source>
<translation>Ele pode estar sobrecarregado. Tente mais tarde ou fale com o provedor.</translation>
</message>
<message>
<source>It may have arrived; the service does not show whether it did. The program does not send it again by itself.</source>
<translation>A alteração pode ter chegado; o serviço não mostra se chegou. O programa não a reenvia sozinho.</translation>
</message>
<message>
<source>It offers all {of} operations.</source>
<translation>Ele oferece todas as {of} operações.</translation>
</message>
<message>
<source>It offers {offered} of the {of} operations that the program uses.</source>
<translation>Ele oferece {offered} das {of} operações que o programa usa.</translation>
</message>
<message>
<source>It refused again, so the program waits longer than it asked.</source>
<translation>Ele recusou de novo, por isso o programa espera mais do que o serviço pediu.</translation>
</message>
<message>
<source>It says how many requests are left: {remaining} of {limit}.</source>
<translation>Ele informa quantas requisições restam: {remaining} de {limit}.</translation>
</message>
<message>
<source>It says how many requests are left: {remaining}, but not of how many.</source>
<translation>Ele informa quantas requisições restam: {remaining}, mas não de quantas.</translation>
</message>
<message>
<source>It takes {price}.</source>
<translation>Custa {price}.</translation>
</message>
<message numerus="yes">
<source>It took {n} requests, all of them reads.</source>
<translation>
<numerusform>Foi usada {n} requisição, de leitura.</numerusform>
<numerusform>Foram usadas {n} requisições, todas de leitura.</numerusform>
</translation>
</message>
<message>
<source>It was asked when the pets were read, {age}.</source>
<translation>O serviço foi consultado na leitura dos pets ({age}).</translation>
</message>
<message>
<source>It was done</source>
<translation>Já foi feito</translation>
</message>
<message>
<source>Its data on this computer is removed. No key was removed, because no keyring was found.</source>
<translation>Os dados dela neste computador foram removidos. Nenhuma chave foi removida, porque não foi encontrado um chaveiro.</translation>
</message>
<message>
<source>Its document cannot be loaded. It answers at the standard paths, so the nine standard operations are used.</source>
<translation>Não é possível carregar o documento dele. Ele responde nos caminhos padrão, por isso são usadas as nove operações padrão.</translation>
</message>
<message>
<source>Its document has no operation that lists {things}.</source>
<translation>O documento do serviço não tem operação que liste {things}.</translation>
</message>
<message>
<source>Its key and its data on this computer are removed.</source>
<translation>A chave e os dados dela neste computador foram removidos.</translation>
</message>
<message>
<source>Jobs</source>
<translation>Tarefas</translation>
</message>
<message>
<source>Keep</source>
<translation>Manter</translation>
</message>
<message>
<source>Keep editing</source>
<translation>Continuar editando</translation>
</message>
<message>
<source>Keep mine</source>
<translation>Manter o meu</translation>
</message>
<message>
<source>Keep the program’s data in a folder on this computer.</source>
<translation>Mantenha os dados do programa em uma pasta deste computador.</translation>
</message>
<message>
<source>Keep these changes…</source>
<translation>Manter estas alterações…</translation>
</message>
<message>
<source>Keep waiting</source>
<translation>Continuar esperando</translation>
</message>
<message>
<source>Keep working. If this happens often, the shop needs a larger plan.</source>
<translation>Continue trabalhando. Se isso acontecer com frequência, a loja precisa de um plano maior.</translation>
</message>
<message>
<source>Keep working: it goes on by itself.</source>
<translation>Continue trabalhando: o envio segue sozinho.</translation>
</message>
<message>
<source>Keep working: the program keeps trying, then sends your changes.</source>
<translation>Continue trabalhando: o programa continua tentando e depois envia suas alterações.</translation>
</message>
<message>
<source>Keep working; it goes on by itself.</source>
<translation>Continue trabalhando; o envio segue sozinho.</translation>
</message>
<message>
<source>Kept in this computer’s keyring if it has one, never in a file.</source>
<translation>Guardada no chaveiro deste computador, se houver, nunca em um arquivo.</translation>
</message>
<message>
<source>Key</source>
<translation>Chave</translation>
</message>
<message>
<source>Key for {shop}</source>
<translation>Chave de {shop}</translation>
</message>
<message>
<source>Key {name}</source>
<translation>Chave {name}</translation>
</message>
<message>
<source>Key {name} (header {parameter})</source>
<translation>Chave {name} (cabeçalho {parameter})</translation>
</message>
<message>
<source>Key {name} (in the address, as {parameter})</source>
<translation>Chave {name} (no endereço, como {parameter})</translation>
</message>
<message>
<source>Keys and marks</source>
<translation>Teclas e marcas</translation>
</message>
<message>
<source>Label of {name}</source>
<translation>Etiqueta de {name}</translation>
</message>
<message>
<source>Label {page} of {pages}</source>
<translation>Etiqueta {page} de {pages}</translation>
</message>
<message>
<source>Label {place}</source>
<translation>Etiqueta {place}</translation>
</message>
<message>
<source>Label, height</source>
<translation>Etiqueta, altura</translation>
</message>
<message>
<source>Label, width</source>
<translation>Etiqueta, largura</translation>
</message>
<message>
<source>Labels</source>
<translation>Etiquetas</translation>
</message>
<message>
<source>Labels across</source>
<translation>Etiquetas na horizontal</translation>
</message>
<message>
<source>Labels down</source>
<translation>Etiquetas na vertical</translation>
</message>
<message>
<source>Labels of each pet</source>
<translation>Etiquetas por pet</translation>
</message>
<message>
<source>Language</source>
<translation>Idioma</translation>
</message>
<message>
<source>Language and preferences</source>
<translation>Idioma e preferências</translation>
</message>
<message>
<source>Last month</source>
<translation>Mês passado</translation>
</message>
<message>
<source>Last scan</source>
<translation>Última leitura</translation>
</message>
<message>
<source>Last scanned</source>
<translation>Última leitura</translation>
</message>
<message>
<source>Last week</source>
<translation>Semana passada</translation>
</message>
<message numerus="yes">
<source>Last {n} days</source>
<translation>
<numerusform>Último dia</numerusform>
<numerusform>Últimos {n} dias</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Last {n} hours</source>
<translation>
<numerusform>Última hora</numerusform>
<numerusform>Últimas {n} horas</numerusform>
</translation>
</message>
<message>
<source>Lasts until they are full again: at this pace ≈ {count} by {time}</source>
<translation>Duram até a renovação: neste ritmo, ≈ {count} até {time}</translation>
</message>
<message>
<source>Lasts until {time} at this pace.</source>
<translation>Neste ritmo, duram até {time}.</translation>
</message>
<message>
<source>Late</source>
<translation>Atraso</translation>
</message>
<message>
<source>Later</source>
<translation>Mais tarde</translation>
</message>
<message>
<source>Later</source>
<comment>orders due after this week</comment>
<translation>Depois</translation>
</message>
<message>
<source>Latin-1, Western</source>
<translation>Latin-1, ocidental</translation>
</message>
<message>
<source>Latin-9, Western</source>
<translation>Latin-9, ocidental</translation>
</message>
<message>
<source>Laying out the report…</source>
<translation>Montando o relatório…</translation>
</message>
<message numerus="yes">
<source>Leave out their stock</source>
<translation>
<numerusform>Deixar de fora o estoque dele</numerusform>
<numerusform>Deixar de fora o estoque deles</numerusform>
</translation>
</message>
<message>
<source>Left out</source>
<translation>De fora</translation>
</message>
<message>
<source>Left out with the record it belongs to</source>
<translation>De fora com o registro a que pertence</translation>
</message>
<message>
<source>Less</source>
<translation>Menos</translation>
</message>
<message>
<source>Licences</source>
<translation>Licenças</translation>
</message>
<message>
<source>Light</source>
<translation>Claro</translation>
</message>
<message>
<source>Limit not known</source>
<translation>Limite desconhecido</translation>
</message>
<message>
<source>Limits</source>
<translation>Limites</translation>
</message>
<message numerus="yes">
<source>Limits {n} a day</source>
<translation>
<numerusform>Limite de {n} por dia</numerusform>
<numerusform>Limite de {n} por dia</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Limits {n} a minute</source>
<translation>
<numerusform>Limite de {n} por minuto</numerusform>
<numerusform>Limite de {n} por minuto</numerusform>
</translation>
</message>
<message>
<source>Lines</source>
<translation>Linhas</translation>
</message>
<message>
<source>List</source>
<translation>Lista</translation>
</message>
<message>
<source>List categories</source>
<translation>Listar categorias</translation>
</message>
<message>
<source>List orders</source>
<translation>Listar pedidos</translation>
</message>
<message>
<source>List pets</source>
<translation>Listar pets</translation>
</message>
<message>
<source>List stock</source>
<translation>Listar estoque</translation>
</message>
<message>
<source>Loading…</source>
<translation>Carregando…</translation>
</message>
<message>
<source>Loo&amp;k up by id…</source>
<translation>Consultar por &amp;id…</translation>
</message>
<message>
<source>Look at it</source>
<translation>Ver</translation>
</message>
<message>
<source>Look at them</source>
<translation>Ver</translation>
</message>
<message>
<source>Look up</source>
<translation>Consultar</translation>
</message>
<message>
<source>Look up a category</source>
<translation>Consultar uma categoria</translation>
</message>
<message>
<source>Look up a pet</source>
<translation>Consultar um pet</translation>
</message>
<message>
<source>Look up an order</source>
<translation>Consultar um pedido</translation>
</message>
<message>
<source>Look up category #{id} at the shop</source>
<translation>Consultar a categoria #{id} na loja</translation>
</message>
<message>
<source>Look up one category</source>
<translation>Consultar uma categoria</translation>
</message>
<message>
<source>Look up one order</source>
<translation>Consultar um pedido</translation>
</message>
<message>
<source>Look up one pet</source>
<translation>Consultar um pet</translation>
</message>
<message>
<source>Look up order #{id} at the shop</source>
<translation>Consultar o pedido #{id} na loja</translation>
</message>
<message>
<source>Look up pet #{id} at the shop</source>
<translation>Consultar o pet #{id} na loja</translation>
</message>
<message>
<source>Look up single records by id; they stay here.</source>
<translation>Consulte registros avulsos pelo id; eles ficam aqui.</translation>
</message>
<message>
<source>Look up the stock of a pet</source>
<translation>Consultar o estoque de um pet</translation>
</message>
<message>
<source>Look up the stock of one pet</source>
<translation>Consultar o estoque de um pet</translation>
</message>
<message>
<source>Look up the stock of pet #{id} at the shop</source>
<translation>Consultar o estoque do pet #{id} na loja</translation>
</message>
<message>
<source>Looking for unsent changes…</source>
<translation>Procurando alterações não enviadas…</translation>
</message>
<message>
<source>Low</source>
<translation>Baixo</translation>
</message>
<message>
<source>Low stock</source>
<translation>Estoque baixo</translation>
</message>
<message>
<source>Low stock by category</source>
<translation>Estoque baixo por categoria</translation>
</message>
<message>
<source>Low stock now</source>
<translation>Estoque baixo agora</translation>
</message>
<message numerus="yes">
<source>Low stock now: {n} pets</source>
<translation>
<numerusform>Estoque baixo agora: {n} pet</numerusform>
<numerusform>Estoque baixo agora: {n} pets</numerusform>
</translation>
</message>
<message>
<source>M&amp;ark open</source>
<translation>Marcar como abert&amp;o</translation>
</message>
<message>
<source>Mac, Western</source>
<translation>Mac, ocidental</translation>
</message>
<message>
<source>Manual</source>
<translation>Manual</translation>
</message>
<message>
<source>Manual of Pet Store Desktop</source>
<translation>Manual do Pet Store Desktop</translation>
</message>
<message>
<source>Margin at the left</source>
<translation>Margem à esquerda</translation>
</message>
<message>
<source>Margin at the top</source>
<translation>Margem no topo</translation>
</message>
<message>
<source>Marks</source>
<translation>Marcas</translation>
</message>
<message>
<source>Menu</source>
<translation>Menu</translation>
</message>
<message>
<source>Menu (F10)</source>
<translation>Menu (F10)</translation>
</message>
<message>
<source>Method</source>
<translation>Método</translation>
</message>
<message>
<source>Mine</source>
<translation>Meu</translation>
</message>
<message>
<source>Mine: {mine}. At the shop: {theirs}.</source>
<translation>Meu: {mine}. Na loja: {theirs}.</translation>
</message>
<message>
<source>Minimum</source>
<translation>Mínimo</translation>
</message>
<message>
<source>Minimum stock of {what}</source>
<translation>Estoque mínimo de {what}</translation>
</message>
<message>
<source>Minimum stock of {what}: {n}</source>
<translation>Estoque mínimo de {what}: {n}</translation>
</message>
<message>
<source>Minimum stock of {what}: {n}, order up to {most}</source>
<translation>Estoque mínimo de {what}: {n}, repor até {most}</translation>
</message>
<message>
<source>Minimum stock removed: {what}</source>
<translation>Estoque mínimo removido: {what}</translation>
</message>
<message>
<source>Minimum stock set: {what}</source>
<translation>Estoque mínimo definido: {what}</translation>
</message>
<message>
<source>Minute</source>
<translation>Minuto</translation>
</message>
<message>
<source>Missing: {missing}.</source>
<translation>Faltam: {missing}.</translation>
</message>
<message>
<source>Month/Day/Year</source>
<translation>Mês/Dia/Ano</translation>
</message>
<message>
<source>Monthly report: l&amp;ast month…</source>
<translation>Relatório mensal: mês pa&amp;ssado…</translation>
</message>
<message>
<source>Monthly report: t&amp;his month…</source>
<translation>Relatório mensal: este &amp;mês…</translation>
</message>
<message>
<source>More</source>
<translation>Mais</translation>
</message>
<message>
<source>More actions</source>
<translation>Mais ações</translation>
</message>
<message numerus="yes">
<source>More may belong to them, because not all of it was read: {lists}.</source>
<translation>
<numerusform>Pode haver mais itens relacionados, porque nem tudo foi lido: {lists}.</numerusform>
<numerusform>Pode haver mais itens relacionados, porque nem tudo foi lido: {lists}.</numerusform>
</translation>
</message>
<message>
<source>More of this pet</source>
<translation>Mais deste pet</translation>
</message>
<message>
<source>More ordered than in stock</source>
<translation>Pedido acima do estoque</translation>
</message>
<message>
<source>More, in English</source>
<translation>Mais, em inglês</translation>
</message>
<message>
<source>More: plan, document, certificates</source>
<translation>Mais: plano, documento, certificados</translation>
</message>
<message numerus="yes">
<source>Most often, as in row {row}: {reason}</source>
<translation>
<numerusform>Linha {row}: {reason}</numerusform>
<numerusform>Mais frequente, como na linha {row}: {reason}</numerusform>
</translation>
</message>
<message>
<source>Move this view &amp;up</source>
<translation>Mover esta exibição para &amp;cima</translation>
</message>
<message>
<source>Move this view d&amp;own</source>
<translation>Mover esta exibição para &amp;baixo</translation>
</message>
<message>
<source>Move {things} to {value}</source>
<translation>Mover {things} para {value}</translation>
</message>
<message>
<source>Move {view} down</source>
<translation>Mover {view} para baixo</translation>
</message>
<message>
<source>Move {view} up</source>
<translation>Mover {view} para cima</translation>
</message>
<message>
<source>Name</source>
<translation>Nome</translation>
</message>
<message>
<source>Name in the service</source>
<translation>Nome no serviço</translation>
</message>
<message>
<source>Name in the service for “{what}”</source>
<translation>Nome no serviço para “{what}”</translation>
</message>
<message>
<source>Name of the shop</source>
<translation>Nome da loja</translation>
</message>
<message>
<source>Name or id</source>
<translation>Nome ou id</translation>
</message>
<message>
<source>Name or id of the pet</source>
<translation>Nome ou id do pet</translation>
</message>
<message>
<source>Names</source>
<translation>Nomes</translation>
</message>
<message>
<source>Names, one per line</source>
<translation>Nomes, um por linha</translation>
</message>
<message>
<source>Ne&amp;w order…</source>
<translation>No&amp;vo pedido…</translation>
</message>
<message>
<source>Needs attenti&amp;on</source>
<translation>Requer ate&amp;nção</translation>
</message>
<message>
<source>Needs attention</source>
<translation>Requer atenção</translation>
</message>
<message>
<source>New</source>
<comment>a record that is new</comment>
<translation>Novo</translation>
</message>
<message>
<source>New</source>
<comment>rows of a file</comment>
<translation>A adicionar</translation>
</message>
<message>
<source>New &amp;category…</source>
<translation>Nova &amp;categoria…</translation>
</message>
<message>
<source>New &amp;pet…</source>
<translation>Novo &amp;pet…</translation>
</message>
<message>
<source>New category</source>
<translation>Nova categoria</translation>
</message>
<message>
<source>New category {name}</source>
<translation>Nova categoria {name}</translation>
</message>
<message>
<source>New changes show here until they are sent.</source>
<translation>Novas alterações aparecem aqui até serem enviadas.</translation>
</message>
<message>
<source>New count</source>
<translation>Nova contagem</translation>
</message>
<message>
<source>New order</source>
<translation>Novo pedido</translation>
</message>
<message>
<source>New orders</source>
<translation>Novos pedidos</translation>
</message>
<message>
<source>New pet</source>
<translation>Novo pet</translation>
</message>
<message>
<source>New pet {name}</source>
<translation>Novo pet {name}</translation>
</message>
<message>
<source>New pets</source>
<translation>Novos pets</translation>
</message>
<message>
<source>New records get numbers for ids here.</source>
<translation>Aqui, novos registros recebem números como ids.</translation>
</message>
<message>
<source>New s&amp;tock entry…</source>
<translation>Novo registro de es&amp;toque…</translation>
</message>
<message>
<source>New value</source>
<translation>Valor novo</translation>
</message>
<message>
<source>Newer versions</source>
<translation>Versões mais recentes</translation>
</message>
<message>
<source>Next</source>
<translation>Próximo</translation>
</message>
<message>
<source>Next month</source>
<translation>Próximo mês</translation>
</message>
<message>
<source>Next page</source>
<translation>Próxima página</translation>
</message>
<message>
<source>Next sheet</source>
<translation>Próxima folha</translation>
</message>
<message>
<source>No answer</source>
<translation>Sem resposta</translation>
</message>
<message>
<source>No category</source>
<translation>Sem categoria</translation>
</message>
<message>
<source>No category matches {filter}</source>
<translation>Nenhuma categoria corresponde a {filter}</translation>
</message>
<message>
<source>No change</source>
<translation>Sem alteração</translation>
</message>
<message>
<source>No change is known between {then} and {now}.</source>
<translation>Não se conhece nenhuma alteração entre {then} e {now}.</translation>
</message>
<message>
<source>No change is known in these days.</source>
<translation>Não se conhece nenhuma alteração nesses dias.</translation>
</message>
<message>
<source>No change is known since {time}.</source>
<translation>Não se conhece nenhuma alteração desde {time}.</translation>
</message>
<message>
<source>No change is refused, in conflict or unconfirmed.</source>
<translation>Nenhuma alteração recusada, em conflito ou não confirmada.</translation>
</message>
<message>
<source>No change of this record is known, neither yours nor anybody else’s.</source>
<translation>Não se conhece nenhuma alteração deste registro, nem sua nem de outra pessoa.</translation>
</message>
<message>
<source>No changes yet</source>
<translation>Nenhuma alteração ainda</translation>
</message>
<message>
<source>No code is remembered yet.</source>
<translation>Nenhum código memorizado ainda.</translation>
</message>
<message>
<source>No colour</source>
<translation>Sem cor</translation>
</message>
<message numerus="yes">
<source>No column surely says how many came: each of the {n} pasted lines counts as 1. Undo takes all of them back.</source>
<translation>
<numerusform>Nenhuma coluna diz com certeza quantos chegaram: a linha colada conta como 1.</numerusform>
<numerusform>Nenhuma coluna diz com certeza quantos chegaram: cada uma das {n} linhas coladas conta como 1. “Desfazer” remove todas.</numerusform>
</translation>
</message>
<message>
<source>No date</source>
<translation>Sem data</translation>
</message>
<message>
<source>No filter can exclude just this.</source>
<translation>Nenhum filtro pode ocultar só isto.</translation>
</message>
<message>
<source>No filter is set.</source>
<translation>Nenhum filtro definido.</translation>
</message>
<message>
<source>No history</source>
<translation>Sem histórico</translation>
</message>
<message>
<source>No limits</source>
<translation>Sem limites</translation>
</message>
<message>
<source>No longer in stock</source>
<translation>Não está mais em estoque</translation>
</message>
<message>
<source>No longer there</source>
<translation>Não existe mais</translation>
</message>
<message>
<source>No matching change</source>
<translation>Nenhuma alteração corresponde</translation>
</message>
<message>
<source>No minimum stock is set</source>
<translation>Nenhum estoque mínimo definido</translation>
</message>
<message>
<source>No more than {most} labels at once.</source>
<translation>No máximo {most} etiquetas de uma vez.</translation>
</message>
<message>
<source>No name stands twice in a category</source>
<translation>Nenhum nome se repete em uma categoria</translation>
</message>
<message numerus="yes">
<source>No network for {n} seconds</source>
<translation>
<numerusform>Sem rede por {n} segundo</numerusform>
<numerusform>Sem rede por {n} segundos</numerusform>
</translation>
</message>
<message>
<source>No open orders</source>
<translation>Nenhum pedido aberto</translation>
</message>
<message>
<source>No order is overdue</source>
<translation>Nenhum pedido está atrasado</translation>
</message>
<message>
<source>No order is overdue, and no pet is low.</source>
<translation>Nenhum pedido está atrasado e nenhum pet está com estoque baixo.</translation>
</message>
<message>
<source>No order is overdue.</source>
<translation>Nenhum pedido está atrasado.</translation>
</message>
<message>
<source>No order matches {filter}</source>
<translation>Nenhum pedido corresponde a {filter}</translation>
</message>
<message>
<source>No page has these words. Try fewer, or others.</source>
<translation>Nenhuma página tem estas palavras. Tente menos, ou outras.</translation>
</message>
<message>
<source>No path of the document names pets, categories, orders or stock, so nothing is used.</source>
<translation>Nenhum caminho do documento menciona pets, categorias, pedidos ou estoque, por isso nada é usado.</translation>
</message>
<message>
<source>No pet has the code {code}</source>
<translation>Nenhum pet tem o código {code}</translation>
</message>
<message>
<source>No pet has the id {id}. To enter that many pieces, type {typed}.</source>
<translation>Nenhum pet tem o id {id}. Para informar essa quantidade, digite {typed}.</translation>
</message>
<message>
<source>No pet has this code yet</source>
<translation>Nenhum pet tem este código ainda</translation>
</message>
<message>
<source>No pet is called that</source>
<translation>Nenhum pet tem esse nome</translation>
</message>
<message>
<source>No pet is called that.</source>
<translation>Nenhum pet tem esse nome.</translation>
</message>
<message>
<source>No pet is called {name}, or has this id</source>
<translation>Nenhum pet se chama {name} ou tem este id</translation>
</message>
<message>
<source>No pet matches {filter}</source>
<translation>Nenhum pet corresponde a {filter}</translation>
</message>
<message>
<source>No pet that was read is called that; not all of the pets are here.</source>
<translation>Nenhum pet lido tem esse nome; nem todos os pets estão aqui.</translation>
</message>
<message>
<source>No pet: {code}</source>
<comment>a bar code that no pet has</comment>
<translation>Nenhum pet: {code}</translation>
</message>
<message>
<source>No pets chosen</source>
<translation>Nenhum pet escolhido</translation>
</message>
<message>
<source>No problems found.</source>
<translation>Nenhum problema encontrado.</translation>
</message>
<message>
<source>No program here opens {file}.</source>
<translation>Nenhum programa aqui abre {file}.</translation>
</message>
<message>
<source>No record of these lists can be used: {lists} ({why}).</source>
<translation>Nenhum registro destas listas pode ser usado: {lists} ({why}).</translation>
</message>
<message>
<source>No requests are left: next try in {left}</source>
<translation>Não restam requisições: próxima tentativa em {left}</translation>
</message>
<message>
<source>No requests yet</source>
<translation>Nenhuma requisição ainda</translation>
</message>
<message>
<source>No secure connection to {host} is possible: its certificate is not trusted.</source>
<translation>Não é possível fazer uma conexão segura com {host}: o certificado não é confiável.</translation>
</message>
<message>
<source>No sold pet has stock</source>
<translation>Nenhum pet vendido tem estoque</translation>
</message>
<message>
<source>No sound</source>
<translation>Sem som</translation>
</message>
<message>
<source>No stock</source>
<translation>Sem estoque</translation>
</message>
<message>
<source>No stock entry matches {filter}</source>
<translation>Nenhum registro de estoque corresponde a {filter}</translation>
</message>
<message>
<source>No stock is below zero</source>
<translation>Nenhum estoque está abaixo de zero</translation>
</message>
<message>
<source>No stock is low</source>
<translation>Nenhum estoque está baixo</translation>
</message>
<message>
<source>No stock is low.</source>
<translation>Nenhum estoque está baixo.</translation>
</message>
<message>
<source>No unknown codes</source>
<translation>Nenhum código desconhecido</translation>
</message>
<message>
<source>No.</source>
<translation>Nº</translation>
</message>
<message>
<source>None</source>
<translation>Nenhuma</translation>
</message>
<message>
<source>None</source>
<comment>no code on a label</comment>
<translation>Nenhum</translation>
</message>
<message>
<source>None in stock.</source>
<translation>Nenhum em estoque.</translation>
</message>
<message>
<source>None is shown; all are safe there.</source>
<translation>Nenhum é mostrado; todos estão seguros lá.</translation>
</message>
<message>
<source>None left</source>
<translation>Esgotados</translation>
</message>
<message>
<source>None of it is on this computer yet.</source>
<translation>Nada disso está neste computador ainda.</translation>
</message>
<message>
<source>None of these rows fits the filter any more. Refresh takes them away.</source>
<translation>Nenhuma destas linhas corresponde mais ao filtro. Ao atualizar, elas saem.</translation>
</message>
<message numerus="yes">
<source>None of {n} changes matches.</source>
<translation>
<numerusform>A única alteração não corresponde.</numerusform>
<numerusform>Nenhuma das {n} alterações corresponde.</numerusform>
</translation>
</message>
<message>
<source>None of {things} can be shown</source>
<translation>Não é possível mostrar {things}</translation>
</message>
<message>
<source>Not all categories have been read: whether there is this one is not known.</source>
<translation>Nem todas as categorias foram lidas: não se sabe se esta existe.</translation>
</message>
<message>
<source>Not all of the list has been read: whether there is a record #{id} is not known.</source>
<translation>A lista não foi lida por inteiro: não se sabe se o registro #{id} existe.</translation>
</message>
<message>
<source>Not all pets have been read: whether there is this one is not known.</source>
<translation>Nem todos os pets foram lidos: não se sabe se este existe.</translation>
</message>
<message>
<source>Not among the pets that are counted: tick it, or leave it</source>
<translation>Não está entre os pets contados: marque ou deixe assim</translation>
</message>
<message>
<source>Not available now.</source>
<translation>Não disponível agora.</translation>
</message>
<message>
<source>Not booked yet</source>
<translation>Ainda não lançado</translation>
</message>
<message>
<source>Not booked yet: {typed} is still in the field. Enter takes it, Esc clears it</source>
<translation>Ainda não lançado: {typed} continua no campo. Enter aceita, Esc apaga</translation>
</message>
<message>
<source>Not checked, because not all of it is here: {lists}.</source>
<translation>Não verificado, porque nem tudo está aqui: {lists}.</translation>
</message>
<message>
<source>Not checked: something else is in the way.</source>
<translation>Não verificado: há outro problema antes.</translation>
</message>
<message>
<source>Not chosen</source>
<translation>Não escolhido</translation>
</message>
<message>
<source>Not compared with the shop since it was counted</source>
<translation>Não comparado com a loja desde a contagem</translation>
</message>
<message>
<source>Not compared with the shop yet</source>
<translation>Ainda não comparado com a loja</translation>
</message>
<message>
<source>Not counted, because not all of it is here: {lists}.</source>
<translation>Não contado, porque nem tudo está aqui: {lists}.</translation>
</message>
<message>
<source>Not found among the fields of {things}: {fields}.</source>
<translation>Não encontrado entre os campos de {things}: {fields}.</translation>
</message>
<message>
<source>Not known</source>
<translation>Desconhecido</translation>
</message>
<message>
<source>Not known.</source>
<translation>Desconhecido.</translation>
</message>
<message>
<source>Not low</source>
<translation>Não baixo</translation>
</message>
<message>
<source>Not offered by the service: {lists}.</source>
<translation>Não oferecido pelo serviço: {lists}.</translation>
</message>
<message>
<source>Not possible without it: {what}.</source>
<translation>Sem isso não é possível: {what}.</translation>
</message>
<message>
<source>Not possible: {what}. {endpoint} was not taken: {why}.</source>
<translation>Não é possível: {what}. {endpoint} não foi usado: {why}.</translation>
</message>
<message>
<source>Not saved yet</source>
<translation>Ainda não salvo</translation>
</message>
<message>
<source>Not saved:</source>
<translation>Não salvo:</translation>
</message>
<message>
<source>Not saved: the disk of this computer takes nothing. Free some space, then go on.</source>
<translation>Não foi salvo: o disco deste computador não aceita mais nada. Libere espaço e continue.</translation>
</message>
<message>
<source>Not saved: this computer’s disk takes nothing more</source>
<translation>Não foi salvo: o disco deste computador não aceita mais nada</translation>
</message>
<message>
<source>Not sent yet</source>
<translation>Ainda não enviados</translation>
</message>
<message>
<source>Not sent: {said}. Your change is kept here.</source>
<translation>Não enviada: {said}. Sua alteração fica guardada aqui.</translation>
</message>
<message>
<source>Not sent: {said}. {record} is kept here</source>
<translation>Não enviada: {said}. {record} fica guardado aqui</translation>
</message>
<message>
<source>Not tried: there is nothing to read with it.</source>
<translation>Não testada: não há nada que se possa ler com ela.</translation>
</message>
<message>
<source>Not used</source>
<translation>Não usada</translation>
</message>
<message>
<source>Not wholly read yet: {lists}.</source>
<translation>Ainda não lido por completo: {lists}.</translation>
</message>
<message>
<source>Note</source>
<translation>Nota</translation>
</message>
<message>
<source>Note on this count</source>
<translation>Nota sobre esta contagem</translation>
</message>
<message>
<source>Nothing begins with {text}.</source>
<translation>Nada começa com {text}.</translation>
</message>
<message>
<source>Nothing begins with {text}. Use: {words}.</source>
<translation>Nada começa com {text}. Use: {words}.</translation>
</message>
<message>
<source>Nothing can change backwards.</source>
<translation>Nada pode mudar para trás no tempo.</translation>
</message>
<message>
<source>Nothing changed</source>
<translation>Nada mudou</translation>
</message>
<message>
<source>Nothing changed between {then} and {now}.</source>
<translation>Nada mudou entre {then} e {now}.</translation>
</message>
<message>
<source>Nothing changed since {time}, when the history began.</source>
<translation>Nada mudou desde {time}, quando o histórico começou.</translation>
</message>
<message>
<source>Nothing changed since {time}.</source>
<translation>Nada mudou desde {time}.</translation>
</message>
<message>
<source>Nothing changes at the service.</source>
<translation>Nada muda no serviço.</translation>
</message>
<message>
<source>Nothing else is sent until it is answered.</source>
<translation>Nada mais é enviado até que haja resposta.</translation>
</message>
<message>
<source>Nothing found for {text}</source>
<translation>Nada encontrado para {text}</translation>
</message>
<message>
<source>Nothing found for {text}; not all of the shop is here</source>
<translation>Nada encontrado para {text}; nem toda a loja está aqui</translation>
</message>
<message numerus="yes">
<source>Nothing here belongs to them.</source>
<translation>
<numerusform>Nada aqui depende dele.</numerusform>
<numerusform>Nada aqui depende deles.</numerusform>
</translation>
</message>
<message>
<source>Nothing here needs attention</source>
<translation>Nada aqui requer atenção</translation>
</message>
<message>
<source>Nothing here was changed today</source>
<translation>Nada aqui foi alterado hoje</translation>
</message>
<message>
<source>Nothing here was removed or overwritten; the rows read before stay.</source>
<translation>Nada foi removido nem sobrescrito aqui; as linhas lidas antes ficam.</translation>
</message>
<message>
<source>Nothing in it was waiting to be sent. Only the list of changes is shorter now.</source>
<translation>Nada nele aguardava envio. Só a lista de alterações ficou mais curta.</translation>
</message>
<message>
<source>Nothing is due this week</source>
<translation>Nada previsto para esta semana</translation>
</message>
<message>
<source>Nothing is lost by waiting. {saved}</source>
<translation>Nada se perde esperando. {saved}</translation>
</message>
<message>
<source>Nothing is low</source>
<translation>Nenhum estoque baixo</translation>
</message>
<message>
<source>Nothing is on this computer yet</source>
<translation>Ainda não há nada neste computador</translation>
</message>
<message>
<source>Nothing is saved yet: a preview comes next.</source>
<translation>Nada foi salvo ainda: em seguida vem a prévia.</translation>
</message>
<message>
<source>Nothing is sent to this shop. Change this in File &gt; Connection settings.</source>
<translation>Nada é enviado a esta loja. Mude isso em Arquivo &gt; Configurações da conexão.</translation>
</message>
<message>
<source>Nothing listens at {host}; nothing was sent.</source>
<translation>Nada responde em {host}; nada foi enviado.</translation>
</message>
<message>
<source>Nothing needs attention</source>
<translation>Nada requer atenção</translation>
</message>
<message>
<source>Nothing proves that it was done, and the service shows what was there before. Either yours never arrived, or it arrived and somebody else set it back.</source>
<translation>Nada prova que foi feito, e o serviço mostra o que havia antes. Ou a sua alteração nunca chegou, ou chegou e outra pessoa voltou ao valor anterior.</translation>
</message>
<message>
<source>Nothing proves that it was done, and the stock is another. Either your {booked} arrived and somebody else booked too, or it never arrived.</source>
<translation>Nada prova que foi feito, e o estoque é outro. Ou o seu lançamento de {booked} chegou e outra pessoa também lançou, ou ele nunca chegou.</translation>
</message>
<message>
<source>Nothing proves that it was done, and the stock is as before. Either your {booked} never arrived, or it arrived and somebody else booked the opposite.</source>
<translation>Nada prova que foi feito, e o estoque está como antes. Ou o seu lançamento de {booked} nunca chegou, ou chegou e outra pessoa lançou o contrário.</translation>
</message>
<message>
<source>Nothing proves that it was done, and the stock is as with your {booked}. Either it arrived, or it never did and somebody else booked the same.</source>
<translation>Nada prova que foi feito, e o estoque está como ficaria com o seu lançamento de {booked}. Ou ele chegou, ou nunca chegou e outra pessoa lançou o mesmo.</translation>
</message>
<message>
<source>Nothing to book: scan what came in.</source>
<translation>Nada para lançar: escaneie o que chegou.</translation>
</message>
<message>
<source>Nothing to change</source>
<translation>Nada a alterar</translation>
</message>
<message>
<source>Nothing to change: it already has this value.</source>
<translation>Nada a alterar: já tem este valor.</translation>
</message>
<message>
<source>Nothing to paste: copy cells or a text first.</source>
<translation>Nada para colar: copie antes células ou um texto.</translation>
</message>
<message>
<source>Nothing to save</source>
<translation>Nada para salvar</translation>
</message>
<message>
<source>Nothing was changed.</source>
<translation>Nada foi alterado.</translation>
</message>
<message>
<source>Nothing was overwritten; your change is kept here.</source>
<translation>Nada foi sobrescrito; sua alteração fica guardada aqui.</translation>
</message>
<message>
<source>Nothing was read from it or written to it.</source>
<translation>Nada foi lido dele nem gravado nele.</translation>
</message>
<message>
<source>Nothing was read.</source>
<translation>Nada foi lido.</translation>
</message>
<message>
<source>Nothing was seen to change in these days.</source>
<translation>Não se viu nenhuma alteração nesses dias.</translation>
</message>
<message>
<source>Nothing was sent, not even the key. You can read and edit the data on this computer.</source>
<translation>Nada foi enviado, nem mesmo a chave. Você pode ler e editar os dados neste computador.</translation>
</message>
<message>
<source>Nothing was sent.</source>
<translation>Nada foi enviado.</translation>
</message>
<message>
<source>Nothing was written.</source>
<translation>Nada foi gravado.</translation>
</message>
<message>
<source>Now</source>
<translation>Agora</translation>
</message>
<message>
<source>Now the network fails. You go on working; nothing is lost.</source>
<translation>Agora a rede cai. Você continua trabalhando; nada se perde.</translation>
</message>
<message>
<source>Now {time}</source>
<translation>Agora {time}</translation>
</message>
<message>
<source>Numbers</source>
<translation>Números</translation>
</message>
<message>
<source>Numbers of now as of {time}.</source>
<translation>Números atuais: dados de {time}.</translation>
</message>
<message>
<source>OK</source>
<translation>OK</translation>
</message>
<message>
<source>OK: {checks}</source>
<translation>OK: {checks}</translation>
</message>
<message>
<source>Off</source>
<translation>Desativado</translation>
</message>
<message>
<source>Offered</source>
<translation>Oferecida</translation>
</message>
<message>
<source>Offline since {time}. The program tries again now, and keeps trying</source>
<translation>Offline desde {time}. O programa tenta de novo agora e continua tentando</translation>
</message>
<message>
<source>Offline since {time}: the service cannot be reached</source>
<translation>Offline desde {time}: não é possível acessar o serviço</translation>
</message>
<message>
<source>Offline: the program tries again now; nothing has changed here</source>
<translation>Offline: o programa tenta de novo agora; nada mudou aqui</translation>
</message>
<message>
<source>Old value</source>
<translation>Valor antigo</translation>
</message>
<message>
<source>Olive</source>
<translation>Oliva</translation>
</message>
<message>
<source>On</source>
<translation>Ativado</translation>
</message>
<message>
<source>On each label</source>
<translation>Em cada etiqueta</translation>
</message>
<message>
<source>On its way to the service.</source>
<translation>A caminho do serviço.</translation>
</message>
<message>
<source>One day…</source>
<translation>Um dia…</translation>
</message>
<message>
<source>One file at a time, please.</source>
<translation>Um arquivo por vez.</translation>
</message>
<message>
<source>One moment.</source>
<translation>Um momento.</translation>
</message>
<message>
<source>One name per line. Saved at once, then sent.</source>
<translation>Um nome por linha. Salvo na hora e depois enviado.</translation>
</message>
<message>
<source>One order for {pet}, to ship on {day}.</source>
<translation>Um pedido, envio em {day}: {pet}.</translation>
</message>
<message>
<source>One order for {pet}, to ship today.</source>
<translation>Um pedido, envio hoje: {pet}.</translation>
</message>
<message>
<source>One order for {pet}.</source>
<translation>Um pedido de {pet}.</translation>
</message>
<message>
<source>Only in {tabs}.</source>
<translation>Só em {tabs}.</translation>
</message>
<message>
<source>Only the history is affected; nothing else is.</source>
<translation>Só o histórico é afetado; nada mais.</translation>
</message>
<message>
<source>Only what the list shows: {view}</source>
<translation>Só o que a lista mostra: {view}</translation>
</message>
<message numerus="yes">
<source>Only {n} in stock.</source>
<translation>
<numerusform>Só {n} em estoque.</numerusform>
<numerusform>Só {n} em estoque.</numerusform>
</translation>
</message>
<message>
<source>Open</source>
<translation>Abrir</translation>
</message>
<message>
<source>Open &amp;log folder</source>
<translation>Abrir a pasta de &amp;logs</translation>
</message>
<message>
<source>Open Today</source>
<translation>Abrir a aba Hoje</translation>
</message>
<message>
<source>Open licences</source>
<translation>Abrir licenças</translation>
</message>
<message>
<source>Open orders</source>
<translation>Pedidos abertos</translation>
</message>
<message>
<source>Open the demo shop</source>
<translation>Abrir a loja demo</translation>
</message>
<message>
<source>Open the folder</source>
<translation>Abrir a pasta</translation>
</message>
<message>
<source>Open the list</source>
<translation>Abrir a lista</translation>
</message>
<message>
<source>Open the list, and make the missing changes again.</source>
<translation>Abra a lista e refaça as alterações que faltam.</translation>
</message>
<message>
<source>Open the manual (F1)</source>
<translation>Abrir o manual (F1)</translation>
</message>
<message>
<source>Open the tab that was shown last</source>
<translation>Abrir a última aba usada</translation>
</message>
<message>
<source>OpenAPI document</source>
<translation>Documento OpenAPI</translation>
</message>
<message>
<source>OpenAPI document (optional)</source>
<translation>Documento OpenAPI (opcional)</translation>
</message>
<message>
<source>OpenAPI documents and profiles (*.json *.yaml *.yml *.toml)</source>
<translation>Documentos OpenAPI e perfis (*.json *.yaml *.yml *.toml)</translation>
</message>
<message>
<source>Operation</source>
<translation>Operação</translation>
</message>
<message>
<source>Operations</source>
<translation>Operações</translation>
</message>
<message>
<source>Operations of this service</source>
<translation>Operações deste serviço</translation>
</message>
<message>
<source>Operations…</source>
<translation>Operações…</translation>
</message>
<message>
<source>Or type it</source>
<translation>Ou digite-o</translation>
</message>
<message>
<source>Order</source>
<translation>Pedido</translation>
</message>
<message>
<source>Order</source>
<comment>header of the order’s id</comment>
<translation>Pedido</translation>
</message>
<message>
<source>Order</source>
<comment>one that has no id yet</comment>
<translation>Pedido</translation>
</message>
<message>
<source>Order id</source>
<translation>Id do pedido</translation>
</message>
<message>
<source>Order of a pet that does not exist</source>
<translation>Pedido de um pet que não existe</translation>
</message>
<message>
<source>Order up to</source>
<translation>Repor até</translation>
</message>
<message>
<source>Order without an id</source>
<translation>Pedido sem id</translation>
</message>
<message>
<source>Order {id}</source>
<translation>Pedido {id}</translation>
</message>
<message>
<source>Order {id}, {count} {pet}</source>
<translation>Pedido {id}, {count} {pet}</translation>
</message>
<message>
<source>Order {id}, {pet}</source>
<translation>Pedido {id}, {pet}</translation>
</message>
<message>
<source>Order {id}: {pet}</source>
<translation>Pedido {id}: {pet}</translation>
</message>
<message>
<source>Order {what} up to {most} in stock</source>
<translation>Repor {what} até {most} em estoque</translation>
</message>
<message>
<source>Orders</source>
<translation>Pedidos</translation>
</message>
<message>
<source>Orders by ship date</source>
<translation>Pedidos por data de envio</translation>
</message>
<message>
<source>Orders by ship date, as they are now</source>
<translation>Pedidos por data de envio, como estão agora</translation>
</message>
<message>
<source>Orders by ship date, last week and this week</source>
<translation>Pedidos por data de envio, semana passada e esta semana</translation>
</message>
<message>
<source>Orders changed today</source>
<translation>Pedidos alterados hoje</translation>
</message>
<message>
<source>Orders completed</source>
<translation>Pedidos concluídos</translation>
</message>
<message>
<source>Orders for more than is in stock</source>
<translation>Pedidos acima do estoque</translation>
</message>
<message>
<source>Orders of pets that do not exist</source>
<translation>Pedidos de pets que não existem</translation>
</message>
<message>
<source>Orders of this pet</source>
<translation>Pedidos deste pet</translation>
</message>
<message>
<source>Orders placed</source>
<translation>Pedidos feitos</translation>
</message>
<message>
<source>Orders that come in at the service are shown here.</source>
<translation>Os pedidos que chegam ao serviço aparecem aqui.</translation>
</message>
<message>
<source>Orders that need attention</source>
<translation>Pedidos que requerem atenção</translation>
</message>
<message>
<source>Other changes</source>
<translation>Outras alterações</translation>
</message>
<message>
<source>Other fields of the service</source>
<translation>Outros campos do serviço</translation>
</message>
<message>
<source>Other fields of {things}, which are shown in the details: {fields}.</source>
<translation>Outros campos de {things}, mostrados nos detalhes: {fields}.</translation>
</message>
<message>
<source>Others with the same key</source>
<translation>Outros com a mesma chave</translation>
</message>
<message>
<source>Outbo&amp;x</source>
<translation>Cai&amp;xa de saída</translation>
</message>
<message>
<source>Outbox</source>
<translation>Caixa de saída</translation>
</message>
<message>
<source>Overdue</source>
<translation>Atrasados</translation>
</message>
<message>
<source>Overdue orders</source>
<translation>Pedidos atrasados</translation>
</message>
<message>
<source>Overdue orders now</source>
<translation>Pedidos atrasados agora</translation>
</message>
<message numerus="yes">
<source>Overdue orders now: {n}</source>
<translation>
<numerusform>Pedidos atrasados agora: {n}</numerusform>
<numerusform>Pedidos atrasados agora: {n}</numerusform>
</translation>
</message>
<message>
<source>Own line</source>
<translation>Texto livre</translation>
</message>
<message>
<source>Own size of labels</source>
<translation>Tamanho personalizado de etiquetas</translation>
</message>
<message>
<source>Own size, {columns} × {rows}, {width} × {height} mm</source>
<translation>Tamanho personalizado, {columns} × {rows}, {width} × {height} mm</translation>
</message>
<message>
<source>Own size…</source>
<translation>Tamanho personalizado…</translation>
</message>
<message>
<source>P&amp;ut all shown into a category…</source>
<translation>Pôr todos os mostrados em &amp;uma categoria…</translation>
</message>
<message>
<source>P&amp;ut into a category…</source>
<translation>Pôr em uma ca&amp;tegoria…</translation>
</message>
<message>
<source>PDF file</source>
<translation>Arquivo PDF</translation>
</message>
<message>
<source>Page of the manual</source>
<translation>Página do manual</translation>
</message>
<message>
<source>Pages of the manual</source>
<translation>Páginas do manual</translation>
</message>
<message>
<source>Paste</source>
<translation>Colagem</translation>
</message>
<message>
<source>Paste lines</source>
<translation>Colar linhas</translation>
</message>
<message>
<source>Path</source>
<translation>Caminho</translation>
</message>
<message>
<source>Pause</source>
<translation>Pausar</translation>
</message>
<message>
<source>Pauses are exact all the same: they are counted, not read from a clock.</source>
<translation>As pausas são exatas mesmo assim: são contadas, não lidas de um relógio.</translation>
</message>
<message>
<source>Pending</source>
<translation>Reservados</translation>
</message>
<message>
<source>Period</source>
<translation>Período</translation>
</message>
<message>
<source>Person</source>
<translation>Usuário</translation>
</message>
<message>
<source>Pet</source>
<translation>Pet</translation>
</message>
<message>
<source>Pet Store Desktop</source>
<translation>Pet Store Desktop</translation>
</message>
<message>
<source>Pet Store Desktop did not end as it should the last time.</source>
<translation>O Pet Store Desktop não foi encerrado corretamente da última vez.</translation>
</message>
<message>
<source>Pet Store Desktop is free software under the MIT licence. It uses Qt and PySide6 under the GNU Lesser General Public License, version 3. They are separate libraries beside the program: you may replace them with your own, and you may take the program apart to debug such a change.</source>
<translation>O Pet Store Desktop é software livre sob a licença MIT. Ele usa Qt e PySide6 sob a Licença Pública Geral Menor GNU (LGPL), versão 3. São bibliotecas separadas, ao lado do programa: você pode substituí-las por versões suas e fazer engenharia reversa do programa para depurar essa mudança.</translation>
</message>
<message>
<source>Pet Store Desktop {version} is available: Help &gt; About Pet Store Desktop.</source>
<translation>O Pet Store Desktop {version} está disponível: Ajuda &gt; Sobre o Pet Store Desktop.</translation>
</message>
<message>
<source>Pet id</source>
<translation>Id do pet</translation>
</message>
<message>
<source>Pets</source>
<translation>Pets</translation>
</message>
<message>
<source>Pets as the program reads them</source>
<translation>Pets como o programa os lê</translation>
</message>
<message>
<source>Pets found</source>
<translation>Pets encontrados</translation>
</message>
<message>
<source>Pets of the same name</source>
<translation>Pets com o mesmo nome</translation>
</message>
<message>
<source>Pets sold</source>
<translation>Pets vendidos</translation>
</message>
<message>
<source>Pets without a category</source>
<translation>Pets sem categoria</translation>
</message>
<message>
<source>Pet’s name</source>
<translation>Nome do pet</translation>
</message>
<message>
<source>Pieces in stock</source>
<translation>Unidades em estoque</translation>
</message>
<message>
<source>Pieces in stock by category</source>
<translation>Unidades em estoque por categoria</translation>
</message>
<message>
<source>Place order</source>
<translation>Fazer pedido</translation>
</message>
<message>
<source>Plan</source>
<translation>Plano</translation>
</message>
<message>
<source>Pr&amp;int this list…</source>
<translation>&amp;Imprimir esta lista…</translation>
</message>
<message>
<source>Pre&amp;ferences…</source>
<translation>Pre&amp;ferências…</translation>
</message>
<message>
<source>Pre&amp;vious tab</source>
<translation>Aba a&amp;nterior</translation>
</message>
<message>
<source>Preferences</source>
<translation>Preferências</translation>
</message>
<message>
<source>Preparing…</source>
<translation>Preparando…</translation>
</message>
<message>
<source>Preview</source>
<translation>Prévia</translation>
</message>
<message>
<source>Preview of the labels</source>
<translation>Prévia das etiquetas</translation>
</message>
<message numerus="yes">
<source>Preview {n} rows</source>
<translation>
<numerusform>Prévia de {n} linha</numerusform>
<numerusform>Prévia de {n} linhas</numerusform>
</translation>
</message>
<message>
<source>Preview: {page}, {start}</source>
<translation>Prévia: {page}, {start}</translation>
</message>
<message>
<source>Preview: {what}</source>
<translation>Prévia: {what}</translation>
</message>
<message>
<source>Previous month</source>
<translation>Mês anterior</translation>
</message>
<message>
<source>Previous page</source>
<translation>Página anterior</translation>
</message>
<message>
<source>Previous sheet</source>
<translation>Folha anterior</translation>
</message>
<message>
<source>Print</source>
<translation>Imprimir</translation>
</message>
<message>
<source>Print at 100 %, not “fit to page”. These choices are kept for the next time.</source>
<translation>Imprima a 100%, não com “ajustar à página”. Estas escolhas ficam salvas para a próxima vez.</translation>
</message>
<message>
<source>Print labels</source>
<translation>Imprimir etiquetas</translation>
</message>
<message>
<source>Print one to try</source>
<translation>Imprimir uma de teste</translation>
</message>
<message>
<source>Print the changes</source>
<translation>Imprimir as alterações</translation>
</message>
<message>
<source>Print the whole manual…</source>
<translation>Imprimir o manual inteiro…</translation>
</message>
<message numerus="yes">
<source>Print {n} labels</source>
<translation>
<numerusform>Imprimir {n} etiqueta</numerusform>
<numerusform>Imprimir {n} etiquetas</numerusform>
</translation>
</message>
<message>
<source>Print {view}</source>
<translation>Imprimir {view}</translation>
</message>
<message>
<source>Printing did not finish. Check the printer, or save a PDF.</source>
<translation>A impressão não terminou. Confira a impressora ou salve um PDF.</translation>
</message>
<message>
<source>Print…</source>
<translation>Imprimir…</translation>
</message>
<message>
<source>Profiles (*.toml)</source>
<translation>Perfis (*.toml)</translation>
</message>
<message>
<source>Program</source>
<translation>Programa</translation>
</message>
<message>
<source>Progress</source>
<translation>Progresso</translation>
</message>
<message>
<source>Protocol as &amp;CSV…</source>
<translation>Ata em &amp;CSV…</translation>
</message>
<message>
<source>Protocol as &amp;PDF…</source>
<translation>Ata em &amp;PDF…</translation>
</message>
<message>
<source>Protocol of the count</source>
<translation>Ata da contagem</translation>
</message>
<message>
<source>Proxy</source>
<translation>Proxy</translation>
</message>
<message>
<source>Put away</source>
<translation>Dispensar</translation>
</message>
<message>
<source>Put away until there are more: {what}</source>
<translation>Dispensado até haver mais: {what}</translation>
</message>
<message>
<source>Put it back, or choose another one for the connection.</source>
<translation>Coloque-o de volta ou escolha outro para a conexão.</translation>
</message>
<message>
<source>QR</source>
<translation>QR</translation>
</message>
<message>
<source>Quantity</source>
<translation>Quantidade</translation>
</message>
<message>
<source>Quantity can’t be negative.</source>
<translation>A quantidade não pode ser negativa.</translation>
</message>
<message>
<source>Quit the program and start it again.</source>
<translation>Saia do programa e inicie-o de novo.</translation>
</message>
<message>
<source>R&amp;efresh</source>
<translation>&amp;Atualizar</translation>
</message>
<message>
<source>Re&amp;quests</source>
<translation>Req&amp;uisições</translation>
</message>
<message>
<source>Read {age}.</source>
<translation>Lista lida ({age}).</translation>
</message>
<message>
<source>Read-only</source>
<translation>Somente leitura</translation>
</message>
<message>
<source>Read-only, not changed: {columns}.</source>
<translation>Somente leitura, sem alteração: {columns}.</translation>
</message>
<message>
<source>Read-only: send no change to this shop</source>
<translation>Somente leitura: não enviar alterações a esta loja</translation>
</message>
<message>
<source>Reading one category</source>
<translation>A leitura de uma categoria</translation>
</message>
<message>
<source>Reading one order</source>
<translation>A leitura de um pedido</translation>
</message>
<message>
<source>Reading one pet</source>
<translation>A leitura de um pet</translation>
</message>
<message>
<source>Reading the history…</source>
<translation>Lendo o histórico…</translation>
</message>
<message>
<source>Reading the list of categories</source>
<translation>A leitura da lista de categorias</translation>
</message>
<message>
<source>Reading the list of orders</source>
<translation>A leitura da lista de pedidos</translation>
</message>
<message>
<source>Reading the list of pets</source>
<translation>A leitura da lista de pets</translation>
</message>
<message>
<source>Reading the shop: {done}</source>
<translation>Lendo a loja: {done}</translation>
</message>
<message>
<source>Reading the shop: {done} of {total}</source>
<translation>Lendo a loja: {done} de {total}</translation>
</message>
<message>
<source>Reading the stock list once, to see what moved since. Press the button again to go on without it.</source>
<translation>Lendo a lista de estoque uma vez, para ver o que mudou desde então. Clique de novo no botão para seguir sem isso.</translation>
</message>
<message>
<source>Reading the stock of all pets</source>
<translation>A leitura do estoque de todos os pets</translation>
</message>
<message>
<source>Reading the stock of one pet</source>
<translation>A leitura do estoque de um pet</translation>
</message>
<message>
<source>Reading was stopped</source>
<translation>A leitura foi interrompida</translation>
</message>
<message>
<source>Reading {things}</source>
<translation>Lendo {things}</translation>
</message>
<message>
<source>Reads a little of each list and changes nothing.</source>
<translation>Lê um pouco de cada lista e não altera nada.</translation>
</message>
<message>
<source>Reads a small file once a week. Nothing about you or your shop is sent.</source>
<translation>Lê um pequeno arquivo uma vez por semana. Nada sobre você ou sua loja é enviado.</translation>
</message>
<message>
<source>Reason</source>
<translation>Motivo</translation>
</message>
<message>
<source>Receive</source>
<translation>Recebimento</translation>
</message>
<message>
<source>Receive goods</source>
<translation>Recebimento de mercadorias</translation>
</message>
<message>
<source>Received</source>
<translation>Recebido</translation>
</message>
<message>
<source>Received</source>
<comment>a delivery</comment>
<translation>Recebimento</translation>
</message>
<message>
<source>Received: {note}</source>
<translation>Recebido: {note}</translation>
</message>
<message>
<source>Recognise scans everywhere</source>
<translation>Reconhecer leituras em qualquer lugar</translation>
</message>
<message>
<source>Record</source>
<translation>Registro</translation>
</message>
<message>
<source>Record or id</source>
<translation>Registro ou id</translation>
</message>
<message>
<source>Record {id} may be a colleague’s: it looks like yours, but the service never confirmed yours. It is not deleted unless you choose to.</source>
<translation>O registro {id} pode ser de um colega: é parecido com o seu, mas o serviço nunca confirmou o seu. Ele só será excluído se você quiser.</translation>
</message>
<message>
<source>Records</source>
<translation>Registros</translation>
</message>
<message>
<source>Records of this kind do not have the field that was entered.</source>
<translation>Registros deste tipo não têm o campo que foi digitado.</translation>
</message>
<message>
<source>Records set aside</source>
<translation>Registros à parte</translation>
</message>
<message>
<source>Redo</source>
<translation>Refazer</translation>
</message>
<message>
<source>Redo: {what}</source>
<translation>Refazer: {what}</translation>
</message>
<message>
<source>Redone: {what}</source>
<translation>Refeito: {what}</translation>
</message>
<message>
<source>Refresh</source>
<translation>Atualizar</translation>
</message>
<message>
<source>Refresh</source>
<comment>what requests were used for</comment>
<translation>Atualização</translation>
</message>
<message>
<source>Refresh the list to see what is there now.</source>
<translation>Atualize a lista para ver o que há lá agora.</translation>
</message>
<message>
<source>Refresh the list.</source>
<translation>Atualize a lista.</translation>
</message>
<message>
<source>Refused</source>
<translation>Recusadas</translation>
</message>
<message>
<source>Refused: {said}. Your change is kept here.</source>
<translation>Recusada: {said}. Sua alteração fica guardada aqui.</translation>
</message>
<message>
<source>Refused: {said}. {record} is kept here</source>
<translation>Recusada: {said}. {record} fica guardado aqui</translation>
</message>
<message>
<source>Rehearsal</source>
<translation>Simulação</translation>
</message>
<message>
<source>Rehearsal of {shop} — Pet Store Desktop</source>
<translation>Simulação de {shop} — Pet Store Desktop</translation>
</message>
<message>
<source>Rehearsal:</source>
<translation>Simulação:</translation>
</message>
<message>
<source>Rehearsal: {words}</source>
<translation>Simulação: {words}</translation>
</message>
<message>
<source>Rehearse</source>
<translation>Simular</translation>
</message>
<message>
<source>Rehearse…</source>
<translation>Simular…</translation>
</message>
<message>
<source>Rem&amp;ove from the sort</source>
<translation>Re&amp;mover da ordenação</translation>
</message>
<message>
<source>Remove them from the address, and enter the password as the key.</source>
<translation>Retire-os do endereço e digite a senha como chave.</translation>
</message>
<message>
<source>Removed by the service</source>
<translation>Removida pelo serviço</translation>
</message>
<message>
<source>Removed by the service on {day}</source>
<translation>Removida pelo serviço em {day}</translation>
</message>
<message>
<source>Rename</source>
<translation>Renomear</translation>
</message>
<message>
<source>Rename {things}</source>
<translation>Renomear {things}</translation>
</message>
<message>
<source>Rename {view}</source>
<translation>Renomear {view}</translation>
</message>
<message>
<source>Rename {view}…</source>
<translation>Renomear {view}…</translation>
</message>
<message>
<source>Repeated below; that row counts</source>
<translation>Repetido abaixo; vale aquela linha</translation>
</message>
<message>
<source>Replace</source>
<translation>Substituir</translation>
</message>
<message>
<source>Report</source>
<translation>Relatório</translation>
</message>
<message>
<source>Report, {days}</source>
<translation>Relatório, {days}</translation>
</message>
<message>
<source>Reports &amp;by week and month</source>
<translation>Re&amp;latórios por semana e mês</translation>
</message>
<message>
<source>Request</source>
<translation>Requisição</translation>
</message>
<message>
<source>Requests</source>
<translation>Requisições</translation>
</message>
<message>
<source>Requests cannot be recorded: {file} cannot be used.</source>
<translation>Não é possível registrar requisições: {file} não pode ser usado.</translation>
</message>
<message>
<source>Requests go through {proxy}. It sees where they go, but neither the key nor the content.</source>
<translation>As requisições passam por {proxy}. Ele vê para onde vão, mas não vê a chave nem o conteúdo.</translation>
</message>
<message>
<source>Requests le&amp;ft</source>
<translation>Requisições re&amp;stantes</translation>
</message>
<message>
<source>Requests left</source>
<translation>Requisições restantes</translation>
</message>
<message>
<source>Requests per day</source>
<translation>Requisições por dia</translation>
</message>
<message>
<source>Requests per minute</source>
<translation>Requisições por minuto</translation>
</message>
<message>
<source>Requests today</source>
<translation>Requisições hoje</translation>
</message>
<message>
<source>Requests today: {used}. {words}</source>
<translation>Requisições hoje: {used}. {words}</translation>
</message>
<message>
<source>Requests: this minute {minute}; today {day}</source>
<translation>Requisições: neste minuto {minute}; hoje {day}</translation>
</message>
<message>
<source>Res&amp;tore built-in views</source>
<translation>Restaurar exibições pa&amp;drão</translation>
</message>
<message>
<source>Reserve and order</source>
<translation>Reservar e fazer pedido</translation>
</message>
<message>
<source>Reserve for a caller</source>
<translation>Reservar por telefone</translation>
</message>
<message>
<source>Reserve for a caller…</source>
<translation>Reservar por telefone…</translation>
</message>
<message>
<source>Restart the program.</source>
<translation>Reinicie o programa.</translation>
</message>
<message>
<source>Result</source>
<translation>Resultado</translation>
</message>
<message>
<source>Resume</source>
<translation>Retomar</translation>
</message>
<message>
<source>Resume &amp;now…</source>
<translation>R&amp;etomar agora…</translation>
</message>
<message>
<source>Resume now</source>
<translation>Retomar agora</translation>
</message>
<message>
<source>Resume now…</source>
<translation>Retomar agora…</translation>
</message>
<message>
<source>Review variances</source>
<translation>Revisar divergências</translation>
</message>
<message numerus="yes">
<source>Review {n} variances</source>
<translation>
<numerusform>Revisar {n} divergência</numerusform>
<numerusform>Revisar {n} divergências</numerusform>
</translation>
</message>
<message>
<source>Risk a ban and resume now?</source>
<translation>Arriscar uma suspensão e retomar agora?</translation>
</message>
<message>
<source>Roll, {width} × {height} mm</source>
<translation>Rolo, {width} × {height} mm</translation>
</message>
<message>
<source>Rose</source>
<translation>Rosa</translation>
</message>
<message>
<source>Row</source>
<translation>Linha</translation>
</message>
<message>
<source>Rows</source>
<translation>Linhas</translation>
</message>
<message>
<source>Rows of the file</source>
<translation>Linhas do arquivo</translation>
</message>
<message>
<source>Rows of the file: {changed} to change, {new} new, {same} the same, {wrong} wrong.</source>
<translation>Linhas do arquivo: {changed} a alterar, {new} a adicionar, {same} iguais, {wrong} com erro.</translation>
</message>
<message>
<source>Rows show as they come.</source>
<translation>As linhas aparecem à medida que chegam.</translation>
</message>
<message>
<source>Runs on</source>
<translation>Roda em</translation>
</message>
<message>
<source>Rust</source>
<translation>Ferrugem</translation>
</message>
<message>
<source>Same as system</source>
<translation>Padrão do sistema</translation>
</message>
<message>
<source>Same name twice</source>
<translation>Mesmo nome duas vezes</translation>
</message>
<message>
<source>Save</source>
<translation>Salvar</translation>
</message>
<message>
<source>Save &amp;changes of this view</source>
<translation>Salvar al&amp;terações desta exibição</translation>
</message>
<message>
<source>Save PDF</source>
<translation>Salvar PDF</translation>
</message>
<message>
<source>Save anyway</source>
<translation>Salvar mesmo assim</translation>
</message>
<message>
<source>Save as CSV</source>
<translation>Salvar como CSV</translation>
</message>
<message>
<source>Save as PDF</source>
<translation>Salvar como PDF</translation>
</message>
<message>
<source>Save as profile</source>
<translation>Salvar como perfil</translation>
</message>
<message>
<source>Save as profile…</source>
<translation>Salvar como perfil…</translation>
</message>
<message>
<source>Save it as a file, keep only the parts about pets, categories, orders and stock, and choose that file as the connection’s document.</source>
<translation>Salve-o como arquivo, mantenha só as partes sobre pets, categorias, pedidos e estoque e escolha esse arquivo como documento da conexão.</translation>
</message>
<message>
<source>Save the protocol as CSV</source>
<translation>Salvar a ata como CSV</translation>
</message>
<message>
<source>Save the table as CSV or XLSX, and import that.</source>
<translation>Salve a tabela como CSV ou XLSX e importe esse arquivo.</translation>
</message>
<message>
<source>Save this choice of operations?</source>
<translation>Salvar esta escolha de operações?</translation>
</message>
<message>
<source>Save view</source>
<translation>Salvar exibição</translation>
</message>
<message>
<source>Save {changes}</source>
<translation>Salvar {changes}</translation>
</message>
<message numerus="yes">
<source>Save {n} values in {changes}</source>
<translation>
<numerusform>Salvar {n} valor em {changes}</numerusform>
<numerusform>Salvar {n} valores em {changes}</numerusform>
</translation>
</message>
<message>
<source>Save {view}</source>
<translation>Salvar {view}</translation>
</message>
<message>
<source>Saved as you count: closing the program loses nothing</source>
<translation>Salvo enquanto você conta: fechar o programa não perde nada</translation>
</message>
<message>
<source>Saved as you scan: closing the program loses nothing</source>
<translation>Salvo a cada leitura: fechar o programa não perde nada</translation>
</message>
<message>
<source>Saved at once, then sent: 1 request.</source>
<translation>Salva na hora e depois envia: 1 requisição.</translation>
</message>
<message>
<source>Saved changes are safe. Until this is solved nothing can be changed or sent.</source>
<translation>As alterações salvas estão seguras. Até isto ser resolvido, nada pode ser alterado nem enviado.</translation>
</message>
<message>
<source>Saved on this computer</source>
<translation>Salvo neste computador</translation>
</message>
<message>
<source>Saved on this computer at once, then sent.</source>
<translation>É salvo neste computador na hora e depois enviado.</translation>
</message>
<message>
<source>Saved on this computer {time}.</source>
<translation>Salva neste computador ({time}).</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out after one test request.</source>
<translation>Salva neste computador ({time}). Será enviada depois de uma requisição de teste.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out after {until}, when the ban is over.</source>
<translation>Salva neste computador ({time}). Será enviada a partir de {until}, quando a suspensão acabar.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out after {until}, with the next day’s requests.</source>
<translation>Salva neste computador ({time}). Será enviada a partir de {until}, com as requisições do dia seguinte.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out after {until}: the rest of today’s requests is kept for you.</source>
<translation>Salva neste computador ({time}). Será enviada a partir de {until}: o resto das requisições de hoje fica guardado para você.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out in its turn.</source>
<translation>Salva neste computador ({time}). Será enviada na sua vez.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out next.</source>
<translation>Salva neste computador ({time}). É a próxima a ser enviada.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out once there is a key that works.</source>
<translation>Salva neste computador ({time}). Será enviada quando houver uma chave que funcione.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out when the ban is over.</source>
<translation>Salva neste computador ({time}). Será enviada quando a suspensão acabar.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out when the pause is over.</source>
<translation>Salva neste computador ({time}). Será enviada quando a pausa acabar.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out when the service has requests left again.</source>
<translation>Salva neste computador ({time}). Será enviada quando o serviço voltar a ter requisições disponíveis.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out when the service takes requests again.</source>
<translation>Salva neste computador ({time}). Será enviada quando o serviço voltar a aceitar requisições.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out with the next day’s requests.</source>
<translation>Salva neste computador ({time}). Será enviada com as requisições do dia seguinte.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out with the next minute’s requests.</source>
<translation>Salva neste computador ({time}). Será enviada com as requisições do próximo minuto.</translation>
</message>
<message>
<source>Saved on this computer {time}. Its job is paused.</source>
<translation>Salva neste computador ({time}). A tarefa está pausada.</translation>
</message>
<message>
<source>Saved on this computer {time}. There is no key yet, so nothing is sent (File &gt; Change key).</source>
<translation>Salva neste computador ({time}). Ainda não há chave, por isso nada é enviado (Arquivo &gt; Trocar chave).</translation>
</message>
<message>
<source>Saved on this computer {time}. Waits for an earlier change that needs attention.</source>
<translation>Salva neste computador ({time}). Aguarda uma alteração anterior que requer atenção.</translation>
</message>
<message>
<source>Saved on this computer {time}. Waits for the network.</source>
<translation>Salva neste computador ({time}). Aguarda a rede.</translation>
</message>
<message>
<source>Saved on this computer {time}. Waits: the rest of today’s requests is kept for you.</source>
<translation>Salva neste computador ({time}). Aguarda: o resto das requisições de hoje fica guardado para você.</translation>
</message>
<message>
<source>Saved on this computer. Not sent: this connection is read-only.</source>
<translation>Salva neste computador. Não enviada: esta conexão é somente leitura.</translation>
</message>
<message>
<source>Saves the filter, sort and columns of this list on this computer.</source>
<translation>Salva o filtro, a ordem e as colunas desta lista neste computador.</translation>
</message>
<message>
<source>Scan a code that is missing: you are asked for its pet again.</source>
<translation>Escaneie um código que falta: o programa pergunta de novo qual é o pet.</translation>
</message>
<message>
<source>Scan the first pet, or type its id or name.</source>
<translation>Escaneie o primeiro pet ou digite o id ou o nome.</translation>
</message>
<message>
<source>Scan the next pet, or type its id or name.</source>
<translation>Escaneie o próximo pet ou digite o id ou o nome.</translation>
</message>
<message>
<source>Scan what came in</source>
<translation>Escaneie o que chegou</translation>
</message>
<message>
<source>Scan, or type an id or a name</source>
<translation>Escaneie ou digite um id ou um nome</translation>
</message>
<message>
<source>Scanned at</source>
<translation>Leitura</translation>
</message>
<message>
<source>Scanned {what}. Close this window first, then scan again.</source>
<translation>Escaneado: {what}. Feche primeiro esta janela e escaneie de novo.</translation>
</message>
<message>
<source>Scanner</source>
<translation>Leitor</translation>
</message>
<message>
<source>Scans</source>
<translation>Leituras</translation>
</message>
<message>
<source>Scene</source>
<translation>Cenário</translation>
</message>
<message>
<source>Search or &amp;jump to…</source>
<translation>Pes&amp;quisar ou ir para…</translation>
</message>
<message>
<source>Search the manual</source>
<translation>Pesquisar no manual</translation>
</message>
<message>
<source>Searching…</source>
<translation>Pesquisando…</translation>
</message>
<message>
<source>See the service’s documentation; it often ends in /v1.</source>
<translation>Veja a documentação do serviço; costuma terminar em /v1.</translation>
</message>
<message>
<source>Seen</source>
<translation>Visto</translation>
</message>
<message>
<source>Select &amp;all</source>
<translation>Selecionar tu&amp;do</translation>
</message>
<message>
<source>Select &amp;whole rows</source>
<translation>Selecionar lin&amp;has inteiras</translation>
</message>
<message>
<source>Select cells that form a block to copy them.</source>
<translation>Selecione células que formem um bloco para copiá-las.</translation>
</message>
<message>
<source>Select pets in the Pets or Inventory list, then press Ctrl+L.</source>
<translation>Selecione pets na lista Pets ou Estoque e tecle Ctrl+L.</translation>
</message>
<message>
<source>Select rows first.</source>
<translation>Selecione as linhas primeiro.</translation>
</message>
<message>
<source>Select whole columns</source>
<translation>Selecionar colunas inteiras</translation>
</message>
<message>
<source>Selected: {rows}</source>
<translation>Seleção: {rows}</translation>
</message>
<message>
<source>Semicolon</source>
<translation>Ponto e vírgula</translation>
</message>
<message>
<source>Send again</source>
<translation>Reenviar</translation>
</message>
<message>
<source>Send again sends it now; It was done sends nothing.</source>
<translation>“Reenviar” envia agora; “Já foi feito” não envia nada.</translation>
</message>
<message>
<source>Send first</source>
<translation>Priorizar</translation>
</message>
<message>
<source>Send {changes}</source>
<translation>Enviar {changes}</translation>
</message>
<message numerus="yes">
<source>Send {n}</source>
<translation>
<numerusform>Enviar {n}</numerusform>
<numerusform>Enviar {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Send {n} again</source>
<translation>
<numerusform>Reenviar {n}</numerusform>
<numerusform>Reenviar {n}</numerusform>
</translation>
</message>
<message>
<source>Sending is paused for {left}</source>
<translation>O envio está pausado por {left}</translation>
</message>
<message>
<source>Sending is paused until {time}.</source>
<translation>O envio está pausado até {time}.</translation>
</message>
<message>
<source>Sending is paused.</source>
<translation>O envio está pausado.</translation>
</message>
<message>
<source>Sent</source>
<translation>Enviadas</translation>
</message>
<message>
<source>Sent to the printer</source>
<translation>Enviado à impressora</translation>
</message>
<message>
<source>Sent {seen}, no answer came. Look in the list whether it is there.</source>
<translation>Enviado ({seen}), não veio resposta. Veja na lista se está lá.</translation>
</message>
<message>
<source>Sent {time}.</source>
<translation>Enviada ({time}).</translation>
</message>
<message>
<source>Sent {time}. The record may be a colleague’s: it has the values that you entered, but the service never confirmed yours.</source>
<translation>Enviado {time}. O registro pode ser de um colega: ele tem os valores que você inseriu, mas o serviço nunca confirmou o seu.</translation>
</message>
<message>
<source>Sent {time}. Undone since.</source>
<translation>Enviada ({time}). Desfeita depois.</translation>
</message>
<message>
<source>Sentence copied</source>
<translation>Frase copiada</translation>
</message>
<message>
<source>Separator</source>
<translation>Separador</translation>
</message>
<message>
<source>Server response</source>
<translation>Resposta do servidor</translation>
</message>
<message>
<source>Set</source>
<translation>Definir</translation>
</message>
<message>
<source>Set &amp;sold</source>
<translation>Marcar como ven&amp;dido</translation>
</message>
<message>
<source>Set a&amp;vailable</source>
<translation>Marcar como dis&amp;ponível</translation>
</message>
<message>
<source>Set all stock shown to &amp;0…</source>
<translation>&amp;Zerar todo o estoque mostrado…</translation>
</message>
<message>
<source>Set an http proxy (HTTPS_PROXY), or exclude this service (NO_PROXY). Then restart the program.</source>
<translation>Configure um proxy http (HTTPS_PROXY) ou crie uma exceção para este serviço (NO_PROXY). Depois reinicie o programa.</translation>
</message>
<message>
<source>Set minimums…</source>
<translation>Definir o estoque mínimo…</translation>
</message>
<message>
<source>Set one up to store the key. Until then the program asks for it at each start.</source>
<translation>Configure um para guardar a chave. Até lá, o programa a pede sempre que é aberto.</translation>
</message>
<message>
<source>Set one up, or give the key in the variable PETSTORE_API_KEY.</source>
<translation>Configure um ou informe a chave na variável PETSTORE_API_KEY.</translation>
</message>
<message>
<source>Set pendin&amp;g</source>
<translation>Marcar como &amp;reservado</translation>
</message>
<message>
<source>Set stock to &amp;0…</source>
<translation>&amp;Zerar o estoque…</translation>
</message>
<message>
<source>Set the minimum stock again (Shop &gt; Minimum stock).</source>
<translation>Defina o estoque mínimo de novo (Loja &gt; Estoque mínimo).</translation>
</message>
<message>
<source>Set them in its address (HTTPS_PROXY=http://name:password@proxy). Then restart the program.</source>
<translation>Informe-os no endereço dele (HTTPS_PROXY=http://name:password@proxy). Depois reinicie o programa.</translation>
</message>
<message>
<source>Set these values again, or connect again under the same name and address.</source>
<translation>Defina estes valores de novo ou conecte de novo com o mesmo nome e endereço.</translation>
</message>
<message>
<source>Set {things} to {value}</source>
<translation>Marcar {things} como {value}</translation>
</message>
<message>
<source>Several categories have this name: enter the id.</source>
<translation>Várias categorias têm este nome: digite o id.</translation>
</message>
<message>
<source>Several pets have {code}</source>
<translation>Vários pets têm {code}</translation>
</message>
<message>
<source>Several pets have {code}. Which one is it?</source>
<translation>Vários pets têm {code}. Qual deles é?</translation>
</message>
<message>
<source>Sheet</source>
<translation>Folha</translation>
</message>
<message>
<source>Sheet</source>
<comment>of a workbook</comment>
<translation>Planilha</translation>
</message>
<message>
<source>Sheet {page} of {pages}</source>
<translation>Folha {page} de {pages}</translation>
</message>
<message>
<source>Sheet, height</source>
<translation>Folha, altura</translation>
</message>
<message>
<source>Sheet, width</source>
<translation>Folha, largura</translation>
</message>
<message>
<source>Shift JIS, Japanese</source>
<translation>Shift JIS, japonês</translation>
</message>
<message>
<source>Shift+F5</source>
<translation>Shift+F5</translation>
</message>
<message>
<source>Ship date</source>
<translation>Data de envio</translation>
</message>
<message>
<source>Shop</source>
<translation>Loja</translation>
</message>
<message>
<source>Show</source>
<translation>Mostrar</translation>
</message>
<message>
<source>Show all changes</source>
<translation>Mostrar todas as alterações</translation>
</message>
<message>
<source>Show each request</source>
<translation>Mostrar cada requisição</translation>
</message>
<message>
<source>Show its o&amp;rders</source>
<translation>Mostrar os pedid&amp;os</translation>
</message>
<message>
<source>Show me, in a minute and a half</source>
<translation>Mostrar, em um minuto e meio</translation>
</message>
<message>
<source>Show outbox</source>
<translation>Mostrar a caixa de saída</translation>
</message>
<message>
<source>Show the report</source>
<translation>Mostrar o relatório</translation>
</message>
<message>
<source>Shown: {rows}</source>
<translation>Visíveis: {rows}</translation>
</message>
<message>
<source>Shows the requests left and who used them</source>
<translation>Mostra as requisições restantes e quem as usou</translation>
</message>
<message>
<source>Signs such as | and ! work in the filters below the headers.</source>
<translation>Sinais como | e ! funcionam nos filtros abaixo dos cabeçalhos.</translation>
</message>
<message>
<source>Since</source>
<translation>Desde</translation>
</message>
<message>
<source>Since you left</source>
<translation>Desde que você saiu</translation>
</message>
<message>
<source>Since {time}: {parts}.</source>
<translation>Desde {time}: {parts}.</translation>
</message>
<message>
<source>Slate</source>
<translation>Ardósia</translation>
</message>
<message>
<source>Sold</source>
<translation>Vendido</translation>
</message>
<message>
<source>Sold pets with stock</source>
<translation>Pets vendidos com estoque</translation>
</message>
<message>
<source>Sold with stock</source>
<translation>Vendido com estoque</translation>
</message>
<message>
<source>Some name categories that may be newer than the list of categories. Refresh the categories to tell.</source>
<translation>Alguns citam categorias que podem ser mais recentes que a lista de categorias. Atualize as categorias para saber.</translation>
</message>
<message>
<source>Some name pets that may be newer than the list of pets. Refresh the pets to tell.</source>
<translation>Alguns citam pets que podem ser mais recentes que a lista de pets. Atualize os pets para saber.</translation>
</message>
<message>
<source>Some records name others that are not here: they may be new. Refresh to be sure: {lists}.</source>
<translation>Alguns registros citam outros que não estão aqui: podem ser novos. Para ter certeza, atualize: {lists}.</translation>
</message>
<message>
<source>Some values in {file} cannot be used: {what}.</source>
<translation>Alguns valores em {file} não podem ser usados: {what}.</translation>
</message>
<message>
<source>Somebody else changed it between {since} and {time}.</source>
<translation>Outra pessoa o alterou entre {since} e {time}.</translation>
</message>
<message>
<source>Somebody else edits too</source>
<translation>Outra pessoa também edita</translation>
</message>
<message>
<source>Something answers at {url}, but it has no OpenAPI document there and none of the standard operations.</source>
<translation>Algo responde em {url}, mas lá não há documento OpenAPI nem nenhuma das operações padrão.</translation>
</message>
<message>
<source>Something answers at {url}, but nothing shows that it is the service.</source>
<translation>Algo responde em {url}, mas nada mostra que é o serviço.</translation>
</message>
<message>
<source>Something answers, but not with a list of a pet shop.</source>
<translation>Algo responde, mas não com uma lista de um pet shop.</translation>
</message>
<message>
<source>Something is missing after {text}.</source>
<translation>Falta algo depois de {text}.</translation>
</message>
<message>
<source>Sort &amp;ascending</source>
<translation>Ordem &amp;crescente</translation>
</message>
<message>
<source>Sort &amp;descending</source>
<translation>Ordem &amp;decrescente</translation>
</message>
<message>
<source>Sound of a scan</source>
<translation>Som da leitura</translation>
</message>
<message>
<source>Squares of {width} mm: hard to scan. Choose larger labels.</source>
<translation>Quadrados de {width} mm: difíceis de escanear. Escolha etiquetas maiores.</translation>
</message>
<message>
<source>Squares of {width} mm: safe for hand scanners</source>
<translation>Quadrados de {width} mm: bons para leitores de mão</translation>
</message>
<message>
<source>Stands beside each of these changes in the history.</source>
<translation>Fica ao lado de cada uma destas alterações no histórico.</translation>
</message>
<message>
<source>Start at label</source>
<translation>Começar na etiqueta</translation>
</message>
<message>
<source>Start it again, or log in again, then enter the key.</source>
<translation>Inicie-o de novo ou entre de novo na sua sessão e digite a chave.</translation>
</message>
<message>
<source>Start over</source>
<translation>Recomeçar</translation>
</message>
<message>
<source>State</source>
<translation>Situação</translation>
</message>
<message>
<source>Status</source>
<translation>Status</translation>
</message>
<message>
<source>Stock</source>
<translation>Estoque</translation>
</message>
<message>
<source>Stock at or below the minimum is marked low. Both are kept on this computer only.</source>
<translation>Estoque igual ou inferior ao mínimo é marcado como baixo. Ambos ficam só neste computador.</translation>
</message>
<message>
<source>Stock below zero</source>
<translation>Estoque abaixo de zero</translation>
</message>
<message>
<source>Stock changed</source>
<translation>Estoque alterado</translation>
</message>
<message>
<source>Stock changed today</source>
<translation>Estoque alterado hoje</translation>
</message>
<message>
<source>Stock entries</source>
<translation>Registros de estoque</translation>
</message>
<message>
<source>Stock is changed by the key that each of its entries has of its own: {name}.</source>
<translation>O estoque é alterado pela chave própria de cada item: {name}.</translation>
</message>
<message>
<source>Stock over time</source>
<translation>Estoque ao longo do tempo</translation>
</message>
<message>
<source>Stock that needs attention</source>
<translation>Estoque que requer atenção</translation>
</message>
<message>
<source>Stock without a pet</source>
<translation>Estoque sem pet</translation>
</message>
<message>
<source>Stocktake</source>
<translation>Inventário</translation>
</message>
<message>
<source>Stocktake begun</source>
<translation>Inventário em andamento</translation>
</message>
<message>
<source>Stocktake {time}</source>
<translation>Inventário {time}</translation>
</message>
<message>
<source>Stocktake: {what}</source>
<translation>Inventário: {what}</translation>
</message>
<message>
<source>Stop</source>
<translation>Parar</translation>
</message>
<message>
<source>Stop reading</source>
<translation>Parar a leitura</translation>
</message>
<message>
<source>Stopped.</source>
<translation>Interrompido.</translation>
</message>
<message>
<source>Stopped. Nothing was saved.</source>
<translation>Interrompido. Nada foi salvo.</translation>
</message>
<message>
<source>Stopped: {what}. {sent} of {n} were sent, and stay</source>
<translation>Interrompido: {what}. {sent} de {n} foram enviadas e permanecem</translation>
</message>
<message>
<source>Such a change shows here with both values.</source>
<translation>Uma alteração assim aparece aqui com os dois valores.</translation>
</message>
<message>
<source>Supplier note</source>
<translation>Nota do fornecedor</translation>
</message>
<message>
<source>Sw&amp;itch to another shop…</source>
<translation>Trocar de lo&amp;ja…</translation>
</message>
<message>
<source>Swap them</source>
<translation>Inverter</translation>
</message>
<message>
<source>T&amp;hen by this, ascending</source>
<translation>De&amp;pois por esta, crescente</translation>
</message>
<message>
<source>Tab</source>
<translation>Tabulação</translation>
</message>
<message>
<source>Tables (*.csv *.tsv *.txt *.tab *.xlsx *.xlsm)</source>
<translation>Tabelas (*.csv *.tsv *.txt *.tab *.xlsx *.xlsm)</translation>
</message>
<message>
<source>Tabs</source>
<translation>Abas</translation>
</message>
<message>
<source>Take out</source>
<translation>Retirar</translation>
</message>
<message>
<source>Take theirs</source>
<translation>Usar o deles</translation>
</message>
<message>
<source>Teal</source>
<translation>Petróleo</translation>
</message>
<message>
<source>Tell me when there is a newer version</source>
<translation>Avisar sobre versões novas</translation>
</message>
<message>
<source>Tell the service’s provider. The program still obeys every wait.</source>
<translation>Avise o provedor do serviço. O programa continua respeitando todos os pedidos de espera.</translation>
</message>
<message>
<source>Test after a pause</source>
<translation>Teste após uma pausa</translation>
</message>
<message>
<source>Test and connect</source>
<translation>Testar e conectar</translation>
</message>
<message>
<source>Text for any spreadsheet (.csv)</source>
<translation>Texto para qualquer planilha (.csv)</translation>
</message>
<message>
<source>That has not happened yet</source>
<translation>Isso ainda não aconteceu</translation>
</message>
<message>
<source>That was a demo shop. Open it to try it yourself, or connect your own shop.</source>
<translation>Essa era uma loja demo. Abra-a para experimentar, ou conecte a sua própria loja.</translation>
</message>
<message>
<source>The OpenAPI document cannot be read: {path}.</source>
<translation>Não é possível ler o documento OpenAPI: {path}.</translation>
</message>
<message>
<source>The OpenAPI document describes another service: {titled}. Nothing in it is what a pet shop needs.</source>
<translation>O documento OpenAPI descreve outro serviço: {titled}. Nada nele serve para um pet shop.</translation>
</message>
<message>
<source>The OpenAPI document has more than {most} operations, and the first ones are not what a pet shop needs.</source>
<translation>O documento OpenAPI tem mais de {most} operações, e as primeiras não servem para um pet shop.</translation>
</message>
<message>
<source>The OpenAPI document has moved to another address: {target}.</source>
<translation>O documento OpenAPI mudou para outro endereço: {target}.</translation>
</message>
<message>
<source>The OpenAPI document is larger than {megabytes} MB, so it was not read: {path}.</source>
<translation>O documento OpenAPI é maior que {megabytes} MB, por isso não foi lido: {path}.</translation>
</message>
<message>
<source>The OpenAPI document is much larger than its file once expanded ({why}), so it was not read to the end.</source>
<translation>O documento OpenAPI, depois de expandido, é muito maior que o arquivo ({why}), por isso não foi lido até o fim.</translation>
</message>
<message>
<source>The OpenAPI document is neither JSON nor YAML ({why}).</source>
<translation>O documento OpenAPI não é JSON nem YAML ({why}).</translation>
</message>
<message>
<source>The OpenAPI document is not at {path}. That address redirects to {target}; the program does not follow.</source>
<translation>O documento OpenAPI não está em {path}. Esse endereço redireciona para {target}; o programa não segue redirecionamentos.</translation>
</message>
<message>
<source>The OpenAPI document is of version {version}; the program reads OpenAPI 3.0 and 3.1, and Swagger 2.0.</source>
<translation>O documento OpenAPI é da versão {version}; o programa lê OpenAPI 3.0 e 3.1 e Swagger 2.0.</translation>
</message>
<message>
<source>The OpenAPI document that was chosen: {named}.</source>
<translation>O documento OpenAPI escolhido: {named}.</translation>
</message>
<message>
<source>The address holds a password; enter it as the key instead.</source>
<translation>O endereço contém uma senha; digite-a como chave.</translation>
</message>
<message>
<source>The address holds a user name or a password; nothing was sent.</source>
<translation>O endereço contém um nome de usuário ou uma senha; nada foi enviado.</translation>
</message>
<message>
<source>The address must begin with https:// (http:// only for this computer).</source>
<translation>O endereço precisa começar com https:// (http:// só para este computador).</translation>
</message>
<message>
<source>The answer is not JSON, but {content_type}.</source>
<translation>A resposta não é JSON, e sim {content_type}.</translation>
</message>
<message>
<source>The beginning of a word is enough.</source>
<translation>Basta o começo de uma palavra.</translation>
</message>
<message>
<source>The categories</source>
<translation>As categorias</translation>
</message>
<message>
<source>The categories are not all on this computer, and all are needed to tell.</source>
<translation>Nem todas as categorias estão neste computador, e todas são necessárias para saber isso.</translation>
</message>
<message>
<source>The category’s id and name are both changed, and do not match.</source>
<translation>O id e o nome da categoria foram ambos alterados e não combinam.</translation>
</message>
<message>
<source>The certificate is trusted, by this computer or by {file}.</source>
<translation>O certificado é confiável, por este computador ou por {file}.</translation>
</message>
<message>
<source>The certificate of {host} expired: {until}.</source>
<translation>O certificado de {host} venceu: {until}.</translation>
</message>
<message>
<source>The certificate of {host} is not valid yet; it begins: {since}.</source>
<translation>O certificado de {host} ainda não é válido; ele começa a valer: {since}.</translation>
</message>
<message>
<source>The certificate of {host} is self-signed, so this computer does not trust it.</source>
<translation>O certificado de {host} é autoassinado, por isso este computador não confia nele.</translation>
</message>
<message>
<source>The certificate of {host} is signed by {issuer}, which this computer does not trust.</source>
<translation>O certificado de {host} foi assinado por {issuer}, em quem este computador não confia.</translation>
</message>
<message>
<source>The certificate of {host} was revoked by its authority.</source>
<translation>O certificado de {host} foi revogado pela autoridade que o emitiu.</translation>
</message>
<message>
<source>The certificate that {host} shows is not for this name, but for {names}.</source>
<translation>O certificado que {host} apresenta não é deste nome, e sim de {names}.</translation>
</message>
<message>
<source>The changes cannot be read</source>
<translation>Não é possível ler as alterações</translation>
</message>
<message>
<source>The changes of the rehearsal wait under Shop &gt; Rehearse.</source>
<translation>As alterações da simulação aguardam em Loja &gt; Simular.</translation>
</message>
<message>
<source>The characters of this file can be read in several ways. Choose its encoding.</source>
<translation>Os caracteres deste arquivo podem ser lidos de várias formas. Escolha a codificação dele.</translation>
</message>
<message>
<source>The check was stopped.</source>
<translation>A verificação foi interrompida.</translation>
</message>
<message>
<source>The connection and its data are still here.</source>
<translation>A conexão e seus dados continuam aqui.</translation>
</message>
<message>
<source>The connection broke while it was sent. It may have arrived. The program checks, and sends nothing twice.</source>
<translation>A conexão caiu durante o envio. A alteração pode ter chegado. O programa verifica e não envia nada duas vezes.</translation>
</message>
<message>
<source>The connection follows a profile, and nothing is guessed: {named}.</source>
<translation>A conexão segue um perfil, e nada é adivinhado: {named}.</translation>
</message>
<message>
<source>The connection follows the profile {named}, from which the service’s own document differs: {differences}.</source>
<translation>A conexão segue o perfil {named}, do qual o documento do serviço difere: {differences}.</translation>
</message>
<message>
<source>The connection to {host} broke before the answer came.</source>
<translation>A conexão com {host} caiu antes de chegar a resposta.</translation>
</message>
<message>
<source>The connection’s CA file cannot be read: {path}.</source>
<translation>Não é possível ler o arquivo de CA da conexão: {path}.</translation>
</message>
<message>
<source>The connection’s CA file holds no certificate: {path}.</source>
<translation>O arquivo de CA da conexão não contém nenhum certificado: {path}.</translation>
</message>
<message>
<source>The connection’s CA file is gone: {path}.</source>
<translation>O arquivo de CA da conexão não existe mais: {path}.</translation>
</message>
<message>
<source>The connection’s CA file is too large: {path}.</source>
<translation>O arquivo de CA da conexão é grande demais: {path}.</translation>
</message>
<message>
<source>The corrections will be lost.</source>
<translation>As correções serão perdidas.</translation>
</message>
<message>
<source>The data and the keys of your shops are still here.</source>
<translation>Os dados e as chaves das suas lojas continuam aqui.</translation>
</message>
<message>
<source>The data check no longer finds it: left out</source>
<translation>A verificação de dados não o encontra mais: de fora</translation>
</message>
<message>
<source>The dates can be read in two ways: 03/04 is 3 April or 4 March. Choose how they are written.</source>
<translation>As datas podem ser lidas de duas formas: 03/04 é 3 de abril ou 4 de março. Escolha como estão escritas.</translation>
</message>
<message>
<source>The demo shop did not start.</source>
<translation>A loja demo não iniciou.</translation>
</message>
<message>
<source>The disk is full.</source>
<translation>O disco está cheio.</translation>
</message>
<message>
<source>The document calls it {note}.</source>
<translation>O documento a chama de {note}.</translation>
</message>
<message>
<source>The document is the one that the service publishes: {name}.</source>
<translation>O documento é o que o serviço publica: {name}.</translation>
</message>
<message>
<source>The document is the one that was chosen for this connection: {name}.</source>
<translation>O documento é o que foi escolhido para esta conexão: {name}.</translation>
</message>
<message>
<source>The field is a guess by its name. Choose its name first, so that {shop} gets what you mean (File &gt; Operations &gt; Fields).</source>
<translation>O campo foi deduzido pelo nome. Escolha primeiro o nome dele, para que {shop} receba o que você pretende (Arquivo &gt; Operações &gt; Campos).</translation>
</message>
<message>
<source>The file does not have this encoding. Choose another one.</source>
<translation>O arquivo não tem esta codificação. Escolha outra.</translation>
</message>
<message>
<source>The file has more than {n} cells. Leave out columns that are not needed, or split it, and import the parts.</source>
<translation>O arquivo tem mais de {n} células. Deixe de fora as colunas desnecessárias ou divida-o e importe as partes.</translation>
</message>
<message>
<source>The file has more than {n} columns. Leave out those that are not needed.</source>
<translation>O arquivo tem mais de {n} colunas. Deixe de fora as que não são necessárias.</translation>
</message>
<message>
<source>The file has more than {n} rows. Split it, and import the parts.</source>
<translation>O arquivo tem mais de {n} linhas. Divida-o e importe as partes.</translation>
</message>
<message>
<source>The file of pauses and request counts is gone: {file}.</source>
<translation>O arquivo de pausas e contagens de requisições não existe mais: {file}.</translation>
</message>
<message>
<source>The file of pauses and request counts was damaged. It is kept as {file}.</source>
<translation>O arquivo de pausas e contagens de requisições estava danificado. Ele foi guardado como {file}.</translation>
</message>
<message>
<source>The file of settings and connections was damaged. It is kept as {file}.</source>
<translation>O arquivo de configurações e conexões estava danificado. Ele foi guardado como {file}.</translation>
</message>
<message>
<source>The file of your bar codes was damaged. It is kept as {file}.</source>
<translation>O arquivo dos seus códigos de barras estava danificado. Ele foi guardado como {file}.</translation>
</message>
<message>
<source>The file of your changes is gone: {file}.</source>
<translation>O arquivo das suas alterações não existe mais: {file}.</translation>
</message>
<message>
<source>The file of your changes was damaged. It is kept as {file}.</source>
<translation>O arquivo das suas alterações estava danificado. Ele foi guardado como {file}.</translation>
</message>
<message>
<source>The file of your earlier changes was damaged. It is kept as {file}.</source>
<translation>O arquivo das suas alterações anteriores estava danificado. Ele foi guardado como {file}.</translation>
</message>
<message>
<source>The file of your minimum stock was damaged. It is kept as {file}.</source>
<translation>O arquivo do seu estoque mínimo estava danificado. Ele foi guardado como {file}.</translation>
</message>
<message numerus="yes">
<source>The file says that {n} of its rows are missing. Records that are not in it stay as they are.</source>
<translation>
<numerusform>O arquivo diz que falta {n} das suas linhas. Registros que não estão nele ficam como estão.</numerusform>
<numerusform>O arquivo diz que faltam {n} das suas linhas. Registros que não estão nele ficam como estão.</numerusform>
</translation>
</message>
<message>
<source>The first moment is after the second one</source>
<translation>O primeiro momento é depois do segundo</translation>
</message>
<message>
<source>The first one: {reason}</source>
<translation>O primeiro: {reason}</translation>
</message>
<message>
<source>The first {n} of {all}.</source>
<translation>Os primeiros {n} de {all}.</translation>
</message>
<message>
<source>The history begins on {time}: nothing is known of these days.</source>
<translation>O histórico começa em {time}: nada se sabe desses dias.</translation>
</message>
<message>
<source>The history begins with the first complete reading of the shop. Come back after it.</source>
<translation>O histórico começa com a primeira leitura completa da loja. Volte depois dela.</translation>
</message>
<message>
<source>The history begins with the first reading.</source>
<translation>O histórico começa com a primeira leitura.</translation>
</message>
<message>
<source>The history cannot be read</source>
<translation>Não é possível ler o histórico</translation>
</message>
<message>
<source>The history cannot be read: the report is made without it. {why}</source>
<translation>Não é possível ler o histórico: o relatório é feito sem ele. {why}</translation>
</message>
<message>
<source>The history does not go back so far</source>
<translation>O histórico não vai tão longe</translation>
</message>
<message>
<source>The history of this shop cannot be recorded: {file} cannot be used.</source>
<translation>Não é possível registrar o histórico desta loja: {file} não pode ser usado.</translation>
</message>
<message>
<source>The history of this shop is gone: {file}.</source>
<translation>O histórico desta loja não existe mais: {file}.</translation>
</message>
<message>
<source>The history of this shop was damaged. It is kept as {file}.</source>
<translation>O histórico desta loja estava danificado. Ele foi guardado como {file}.</translation>
</message>
<message>
<source>The key contains characters that cannot be sent. Nothing was sent.</source>
<translation>A chave contém caracteres que não podem ser enviados. Nada foi enviado.</translation>
</message>
<message>
<source>The key is banned: unsent changes go out when the program is open after {time}.</source>
<translation>A chave está suspensa: as alterações serão enviadas quando o programa estiver aberto a partir de {time}.</translation>
</message>
<message>
<source>The key is longer than 16,384 characters, which no service takes. Nothing was sent.</source>
<translation>A chave tem mais de 16.384 caracteres, o que nenhum serviço aceita. Nada foi enviado.</translation>
</message>
<message>
<source>The key is taken at {url}; at the address that you gave nothing asks for it.</source>
<translation>A chave é aceita em {url}; no endereço informado, nada a pede.</translation>
</message>
<message>
<source>The key may not read these lists: {lists}.</source>
<translation>A chave não pode ler estas listas: {lists}.</translation>
</message>
<message>
<source>The key may not read this list: {lists}.</source>
<translation>A chave não pode ler esta lista: {lists}.</translation>
</message>
<message>
<source>The keyring did not answer within five seconds, so there is no key; only the document was asked for.</source>
<translation>O chaveiro não respondeu em cinco segundos, então não há chave; só o documento foi pedido.</translation>
</message>
<message>
<source>The keyring did not answer within five seconds.</source>
<translation>O chaveiro não respondeu em cinco segundos.</translation>
</message>
<message>
<source>The keyring is locked, so there is no key; only the document was asked for.</source>
<translation>O chaveiro está bloqueado, então não há chave; só o documento foi pedido.</translation>
</message>
<message>
<source>The keyring is locked.</source>
<translation>O chaveiro está bloqueado.</translation>
</message>
<message>
<source>The keyring stopped while it was asked.</source>
<translation>O chaveiro parou enquanto era consultado.</translation>
</message>
<message>
<source>The keyring took the key, but did not give it back.</source>
<translation>O chaveiro recebeu a chave, mas não a devolveu.</translation>
</message>
<message>
<source>The keys are sent in these headers or parameters: {names}.</source>
<translation>As chaves são enviadas nestes cabeçalhos ou parâmetros: {names}.</translation>
</message>
<message>
<source>The labels need {limit} mm; the sheet is lower.</source>
<translation>As etiquetas precisam de {limit} mm; a folha é mais baixa.</translation>
</message>
<message>
<source>The labels need {limit} mm; the sheet is narrower.</source>
<translation>As etiquetas precisam de {limit} mm; a folha é mais estreita.</translation>
</message>
<message>
<source>The last act cannot be undone</source>
<translation>A última ação não pode ser desfeita</translation>
</message>
<message>
<source>The last requests of the minute are kept for what you ask for, and to read lists.</source>
<translation>As últimas solicitações do minuto ficam para o que você pedir e para ler listas.</translation>
</message>
<message>
<source>The last step of the count is undone</source>
<translation>O último passo da contagem foi desfeito</translation>
</message>
<message>
<source>The licence’s text is at {address}, the source of both at {source}.</source>
<translation>O texto da licença está em {address}; o código-fonte das duas, em {source}.</translation>
</message>
<message>
<source>The list has no record with the id {id}</source>
<translation>A lista não tem nenhum registro com o id {id}</translation>
</message>
<message>
<source>The list loads when the network is back. Your edits are kept.</source>
<translation>A lista será carregada quando a rede voltar. Suas edições são mantidas.</translation>
</message>
<message>
<source>The list of earlier requests was damaged. It is kept as {file}.</source>
<translation>A lista de requisições anteriores estava danificada. Ela foi guardada como {file}.</translation>
</message>
<message>
<source>The lists show what the service has. From now on, each change of this kind is looked at.</source>
<translation>As listas mostram o que o serviço tem. De agora em diante, cada alteração desse tipo é conferida.</translation>
</message>
<message>
<source>The longest name</source>
<translation>O nome mais longo</translation>
</message>
<message>
<source>The longest name, twice as large</source>
<translation>O nome mais longo, com o dobro do tamanho</translation>
</message>
<message>
<source>The name in this program.</source>
<translation>O nome neste programa.</translation>
</message>
<message>
<source>The network may be slow, or a firewall in between.</source>
<translation>A rede pode estar lenta ou há um firewall no caminho.</translation>
</message>
<message>
<source>The new key is used at once for all unsent changes.</source>
<translation>A nova chave é usada na hora para todas as alterações não enviadas.</translation>
</message>
<message>
<source>The next one is free at {time}.</source>
<translation>A próxima fica livre às {time}.</translation>
</message>
<message>
<source>The numbers can be read in two ways: 1.200 is twelve hundred, or 1 and a fraction. Choose how they are written.</source>
<translation>Os números podem ser lidos de duas formas: 1.200 é mil e duzentos ou 1 com fração. Escolha como estão escritos.</translation>
</message>
<message>
<source>The order for {pet}</source>
<translation>O pedido de {pet}</translation>
</message>
<message>
<source>The order for {quantity} {pet}</source>
<translation>O pedido de {quantity} {pet}</translation>
</message>
<message>
<source>The orders</source>
<translation>Os pedidos</translation>
</message>
<message>
<source>The orders are not all on this computer, and all are needed to tell.</source>
<translation>Nem todos os pedidos estão neste computador, e todos são necessários para saber isso.</translation>
</message>
<message>
<source>The other tabs work. If the list has another name, choose it in File &gt; Operations.</source>
<translation>As outras abas funcionam. Se a lista tem outro nome, escolha-a em Arquivo &gt; Operações.</translation>
</message>
<message>
<source>The outbox is empty</source>
<translation>A caixa de saída está vazia</translation>
</message>
<message>
<source>The part of the program that talks to the service has ended.</source>
<translation>A parte do programa que conversa com o serviço foi encerrada.</translation>
</message>
<message>
<source>The pause could not be saved, the disk may be full: keep the window open until it ends.</source>
<translation>Não foi possível salvar a pausa, o disco pode estar cheio: mantenha a janela aberta até ela acabar.</translation>
</message>
<message>
<source>The pet becomes {status}.</source>
<translation>O pet fica {status}.</translation>
</message>
<message>
<source>The pets</source>
<translation>Os pets</translation>
</message>
<message>
<source>The pets are not all on this computer, and all are needed to tell.</source>
<translation>Nem todos os pets estão neste computador, e todos são necessários para saber isso.</translation>
</message>
<message>
<source>The pets are still being read. Scan {code} again in a moment.</source>
<translation>Os pets ainda estão sendo lidos. Escaneie {code} de novo em instantes.</translation>
</message>
<message>
<source>The profile cannot be followed: {where}: {why}.</source>
<translation>Não é possível seguir o perfil: {where}: {why}.</translation>
</message>
<message>
<source>The profile is followed. Ask the service’s provider which is right, and correct the profile if it is not.</source>
<translation>O perfil é seguido. Pergunte ao provedor do serviço o que está certo e corrija o perfil se ele não estiver.</translation>
</message>
<message>
<source>The profile is in {file}.</source>
<translation>O perfil está em {file}.</translation>
</message>
<message>
<source>The profile says so.</source>
<translation>É o que diz o perfil.</translation>
</message>
<message>
<source>The program could not start.</source>
<translation>Não foi possível iniciar o programa.</translation>
</message>
<message>
<source>The program does not follow: neither the request nor the key was sent there.</source>
<translation>O programa não segue redirecionamentos: nem a requisição nem a chave foram enviadas para lá.</translation>
</message>
<message>
<source>The program does not follow: nothing was sent there.</source>
<translation>O programa não segue redirecionamentos: nada foi enviado para lá.</translation>
</message>
<message>
<source>The program needs an id in each record, and the field names of the specification. Ask the service’s provider for such an address, or choose another list in File &gt; Operations.</source>
<translation>O programa precisa de um id em cada registro e dos nomes de campos da especificação. Peça um endereço assim ao provedor do serviço ou escolha outra lista em Arquivo &gt; Operações.</translation>
</message>
<message>
<source>The program obeys every “wait”.</source>
<translation>O programa respeita todos os pedidos de espera.</translation>
</message>
<message>
<source>The program reads {endpoint}, because of the fields of its answer. Its path does not name what it is, so nothing is changed there unless you choose it.</source>
<translation>O programa lê {endpoint} por causa dos campos da resposta. O caminho não diz o que é, por isso nada é alterado lá, a menos que você o escolha.</translation>
</message>
<message>
<source>The program sends one at a time and obeys every “wait”.</source>
<translation>O programa envia uma por vez e respeita todos os pedidos de espera.</translation>
</message>
<message>
<source>The program that answers at {host} is not a web service.</source>
<translation>O programa que responde em {host} não é um serviço web.</translation>
</message>
<message>
<source>The program tries again by itself.</source>
<translation>O programa tenta de novo sozinho.</translation>
</message>
<message>
<source>The program uses {endpoint}, because you chose it.</source>
<translation>O programa usa {endpoint}, porque você o escolheu.</translation>
</message>
<message>
<source>The program uses {endpoint}: its path, and what it takes and answers, fit.</source>
<translation>O programa usa {endpoint}: o caminho, o que aceita e o que responde combinam.</translation>
</message>
<message>
<source>The proxy that is set on this computer cannot be reached: {proxy}.</source>
<translation>Não é possível acessar o proxy configurado neste computador: {proxy}.</translation>
</message>
<message>
<source>The proxy that is set on this computer cannot be used by the program: {proxy}.</source>
<translation>O programa não pode usar o proxy configurado neste computador: {proxy}.</translation>
</message>
<message>
<source>The proxy {proxy} blocks {host}.</source>
<translation>O proxy {proxy} bloqueia {host}.</translation>
</message>
<message>
<source>The proxy {proxy} cannot reach {host}.</source>
<translation>O proxy {proxy} não consegue acessar {host}.</translation>
</message>
<message>
<source>The proxy {proxy} did not let the request through to {host}.</source>
<translation>O proxy {proxy} não deixou a requisição chegar a {host}.</translation>
</message>
<message>
<source>The proxy {proxy} is not trusted: no secure connection to it is possible.</source>
<translation>O proxy {proxy} não é confiável: não é possível fazer uma conexão segura com ele.</translation>
</message>
<message>
<source>The proxy {proxy} needs a user name and password, or rejects those that are set.</source>
<translation>O proxy {proxy} precisa de nome de usuário e senha ou rejeita os configurados.</translation>
</message>
<message>
<source>The record is there, once. No other one is made before you send one again.</source>
<translation>O registro está lá, uma única vez. Nenhum outro será criado até você reenviar um.</translation>
</message>
<message>
<source>The record was changed elsewhere in the meantime: {said}.</source>
<translation>O registro foi alterado em outro lugar nesse meio-tempo: {said}.</translation>
</message>
<message>
<source>The rehearsal opens in a window of its own.</source>
<translation>A simulação abre em outra janela.</translation>
</message>
<message>
<source>The rehearsal’s shop has stopped</source>
<translation>A loja da simulação parou</translation>
</message>
<message>
<source>The requests that the key allows are used up until {until}. Nothing is sent before.</source>
<translation>As requisições que a chave permite estão esgotadas até {until}. Nada será enviado antes disso.</translation>
</message>
<message>
<source>The rest of today’s requests is kept for you.</source>
<translation>O restante das solicitações de hoje fica para você.</translation>
</message>
<message>
<source>The rest of today’s requests is kept for you: changes go out when the program is open after {time}.</source>
<translation>O restante das solicitações de hoje fica para você: as alterações são enviadas quando o programa estiver aberto após {time}.</translation>
</message>
<message>
<source>The rest works.</source>
<translation>O resto funciona.</translation>
</message>
<message>
<source>The rows have a new order: of {n} selected rows, only the current cell is still selected.</source>
<translation>As linhas têm uma nova ordem: de {n} linhas selecionadas, só a célula atual continua selecionada.</translation>
</message>
<message>
<source>The same</source>
<translation>Iguais</translation>
</message>
<message>
<source>The same number of each</source>
<translation>A mesma quantidade de cada</translation>
</message>
<message>
<source>The same record as in row {row}.</source>
<translation>O mesmo registro da linha {row}.</translation>
</message>
<message>
<source>The second moment can be the present one at most.</source>
<translation>O segundo momento não pode ficar no futuro.</translation>
</message>
<message>
<source>The service accepted it, to be done later. When the record was last looked at, it was not done yet.</source>
<translation>O serviço aceitou para fazer mais tarde. Da última vez que o registro foi consultado, ainda não estava feito.</translation>
</message>
<message>
<source>The service allows no more in a minute.</source>
<translation>O serviço não permite mais que isso por minuto.</translation>
</message>
<message numerus="yes">
<source>The service allows {n} in a minute.</source>
<translation>
<numerusform>O serviço permite {n} por minuto.</numerusform>
<numerusform>O serviço permite {n} por minuto.</numerusform>
</translation>
</message>
<message>
<source>The service also demands {names}; it gets {values}.</source>
<translation>O serviço também exige {names}; ele recebe {values}.</translation>
</message>
<message>
<source>The service answered with record {id}, which existed before. Check that record: it may be overwritten.</source>
<translation>O serviço respondeu com o registro {id}, que já existia. Confira esse registro: ele pode ter sido sobrescrito.</translation>
</message>
<message>
<source>The service answered {said}.</source>
<translation>O serviço respondeu: {said}.</translation>
</message>
<message>
<source>The service answers without a key.</source>
<translation>O serviço responde sem chave.</translation>
</message>
<message>
<source>The service asked to wait until {until}, which is unusually long: {message}. Nothing is sent before.</source>
<translation>O serviço pediu para esperar até {until}, uma espera muito acima do normal: {message}. Nada será enviado antes disso.</translation>
</message>
<message>
<source>The service asked to wait until {until}: {message}. Nothing is sent before.</source>
<translation>O serviço pediu para esperar até {until}: {message}. Nada será enviado antes disso.</translation>
</message>
<message>
<source>The service asks to wait: {said}.</source>
<translation>O serviço pede para esperar: {said}.</translation>
</message>
<message>
<source>The service calls it beta: it may change.</source>
<translation>Segundo o serviço, ela é beta: pode mudar.</translation>
</message>
<message>
<source>The service calls it experimental: it may change or go.</source>
<translation>Segundo o serviço, ela é experimental: pode mudar ou deixar de existir.</translation>
</message>
<message>
<source>The service calls this beta: it may change.</source>
<translation>Segundo o serviço, isto é beta: pode mudar.</translation>
</message>
<message>
<source>The service calls this experimental: it may change or go.</source>
<translation>Segundo o serviço, isto é experimental: pode mudar ou deixar de existir.</translation>
</message>
<message>
<source>The service cannot be reached</source>
<translation>Não é possível acessar o serviço</translation>
</message>
<message>
<source>The service cannot be reached since {time}.</source>
<translation>O serviço está inacessível desde {time}.</translation>
</message>
<message>
<source>The service cannot do this now: {said}.</source>
<translation>O serviço não pode fazer isto agora: {said}.</translation>
</message>
<message>
<source>The service could not be asked about the new key. It is kept, and tried when the service answers.</source>
<translation>Não foi possível consultar o serviço sobre a nova chave. Ela foi guardada e será testada quando o serviço responder.</translation>
</message>
<message>
<source>The service counts more than it shows.</source>
<translation>O serviço conta mais do que mostra.</translation>
</message>
<message>
<source>The service did not find this: the record is gone, or the way to it ({request}), which was to be removed on {day}.</source>
<translation>O serviço não encontrou isto: não existe mais o registro ou o caminho até ele ({request}), que seria removido em {day}.</translation>
</message>
<message>
<source>The service does not accept the key</source>
<translation>O serviço não aceita a chave</translation>
</message>
<message>
<source>The service does not accept the key {key}, which it wants for some operations: {message}.</source>
<translation>O serviço não aceita a chave {key}, que ele exige para algumas operações: {message}.</translation>
</message>
<message>
<source>The service does not accept the key {key}: {message}.</source>
<translation>O serviço não aceita a chave {key}: {message}.</translation>
</message>
<message>
<source>The service does not accept the key {key}: {said}.</source>
<translation>O serviço não aceita a chave {key}: {said}.</translation>
</message>
<message>
<source>The service does not accept the key: unsent changes go out once a key works.</source>
<translation>O serviço não aceita a chave: as alterações serão enviadas quando uma chave funcionar.</translation>
</message>
<message>
<source>The service does not accept the key: {message}.</source>
<translation>O serviço não aceita a chave: {message}.</translation>
</message>
<message>
<source>The service does not accept the key: {said}.</source>
<translation>O serviço não aceita a chave: {said}.</translation>
</message>
<message>
<source>The service does not have these lists: {lists}.</source>
<translation>O serviço não tem estas listas: {lists}.</translation>
</message>
<message>
<source>The service does not have this list: {lists}.</source>
<translation>O serviço não tem esta lista: {lists}.</translation>
</message>
<message>
<source>The service does not let this key read anything: {message}.</source>
<translation>O serviço não permite que esta chave leia nada: {message}.</translation>
</message>
<message>
<source>The service does not report it: ≈ is this computer’s own count, without other computers.</source>
<translation>O serviço não informa: ≈ é a contagem deste computador, sem outros computadores.</translation>
</message>
<message>
<source>The service does not report the day: this is this computer’s own count.</source>
<translation>O serviço não informa o limite do dia: esta é a contagem deste computador.</translation>
</message>
<message>
<source>The service does not say how many requests are left.</source>
<translation>O serviço não informa quantas requisições restam.</translation>
</message>
<message>
<source>The service does not say how many requests it allows a day.</source>
<translation>O serviço não informa quantas requisições permite por dia.</translation>
</message>
<message>
<source>The service does not say how many requests it allows a minute.</source>
<translation>O serviço não informa quantas requisições permite por minuto.</translation>
</message>
<message>
<source>The service does not say when there are more.</source>
<translation>O serviço não informa quando haverá mais.</translation>
</message>
<message>
<source>The service does not say which orders are open, and so not which are overdue.</source>
<translation>O serviço não informa quais pedidos estão abertos e, portanto, nem quais estão atrasados.</translation>
</message>
<message>
<source>The service does not tell its time.</source>
<translation>O serviço não informa sua hora.</translation>
</message>
<message>
<source>The service failed (status {status}): {message}.</source>
<translation>O serviço falhou (status {status}): {message}.</translation>
</message>
<message>
<source>The service failed: {said}.</source>
<translation>O serviço falhou: {said}.</translation>
</message>
<message>
<source>The service has banned this key for a while: {said}.</source>
<translation>O serviço suspendeu esta chave por um tempo: {said}.</translation>
</message>
<message>
<source>The service has banned this key until {until}: {message}. Nothing is sent before.</source>
<translation>O serviço suspendeu esta chave até {until}: {message}. Nada será enviado antes disso.</translation>
</message>
<message>
<source>The service has no list of categories. The program takes them from the pets at {endpoint}, which costs no request. A category without a pet is not shown.</source>
<translation>O serviço não tem lista de categorias. O programa as obtém dos pets em {endpoint}, o que não custa nenhuma requisição. Uma categoria sem pet não é mostrada.</translation>
</message>
<message>
<source>The service has no such record any more: {said}.</source>
<translation>O serviço não tem mais este registro: {said}.</translation>
</message>
<message>
<source>The service has not said how many.</source>
<translation>O serviço não informou o limite.</translation>
</message>
<message>
<source>The service has removed it.</source>
<translation>O serviço a removeu.</translation>
</message>
<message>
<source>The service has removed this ({request}) on {day}.</source>
<translation>O serviço removeu isto ({request}) em {day}.</translation>
</message>
<message>
<source>The service is not at {given}, but at {url}.</source>
<translation>O serviço não está em {given}, e sim em {url}.</translation>
</message>
<message>
<source>The service is slow</source>
<translation>O serviço está lento</translation>
</message>
<message numerus="yes">
<source>The service is told to delete the orders, not to mark them as cancelled.</source>
<translation>
<numerusform>O serviço recebe a ordem de excluir os pedidos, não de marcá-los como cancelados.</numerusform>
<numerusform>O serviço recebe a ordem de excluir os pedidos, não de marcá-los como cancelados.</numerusform>
</translation>
</message>
<message>
<source>The service keeps its records below {scope}, and the address does not say which.</source>
<translation>O serviço guarda seus registros abaixo de {scope}, e o endereço não diz qual.</translation>
</message>
<message>
<source>The service may be down: try again later. Or its address has another port.</source>
<translation>O serviço pode estar fora do ar: tente mais tarde. Ou a porta do endereço é outra.</translation>
</message>
<message numerus="yes">
<source>The service may delete their pets too, with stock and orders, and undo does not bring those back. Pets that stay name a deleted category:</source>
<translation>
<numerusform>O serviço pode excluir também os pets dela, com estoque e pedidos, e desfazer não os traz de volta. Os pets que ficarem indicarão uma categoria excluída:</numerusform>
<numerusform>O serviço pode excluir também os pets delas, com estoque e pedidos, e desfazer não os traz de volta. Os pets que ficarem indicarão uma categoria excluída:</numerusform>
</translation>
</message>
<message numerus="yes">
<source>The service may delete their stock and orders too, and undo does not bring those back:</source>
<translation>
<numerusform>O serviço pode excluir também o estoque e os pedidos dele, e desfazer não os traz de volta:</numerusform>
<numerusform>O serviço pode excluir também o estoque e os pedidos deles, e desfazer não os traz de volta:</numerusform>
</translation>
</message>
<message>
<source>The service needs a key</source>
<translation>O serviço precisa de uma chave</translation>
</message>
<message>
<source>The service needs a key.</source>
<translation>O serviço precisa de uma chave.</translation>
</message>
<message>
<source>The service needs a key. Until then you can read and edit the data on this computer.</source>
<translation>O serviço precisa de uma chave. Até lá, você pode ler e editar os dados neste computador.</translation>
</message>
<message>
<source>The service needs values that its document does not give: {names}.</source>
<translation>O serviço precisa de valores que o documento dele não informa: {names}.</translation>
</message>
<message>
<source>The service publishes its OpenAPI document: {named}.</source>
<translation>O serviço publica seu documento OpenAPI: {named}.</translation>
</message>
<message>
<source>The service publishes no document: the program’s own is used.</source>
<translation>O serviço não publica nenhum documento: é usado o do próprio programa.</translation>
</message>
<message>
<source>The service publishes none. It answers at the standard paths, so the nine standard operations are used.</source>
<translation>O serviço não publica nenhum. Ele responde nos caminhos padrão, por isso são usadas as nove operações padrão.</translation>
</message>
<message>
<source>The service redirects in a circle: from {target} back to the same address.</source>
<translation>O serviço redireciona em círculo: de {target} de volta para o mesmo endereço.</translation>
</message>
<message>
<source>The service redirects to another address: {target}.</source>
<translation>O serviço redireciona para outro endereço: {target}.</translation>
</message>
<message>
<source>The service redirects to {target}. The program does not follow, so that the key goes nowhere else.</source>
<translation>O serviço redireciona para {target}. O programa não segue redirecionamentos, para que a chave não vá para outro lugar.</translation>
</message>
<message>
<source>The service redirects, but does not say where to.</source>
<translation>O serviço redireciona, mas não diz para onde.</translation>
</message>
<message>
<source>The service refused this: {said}.</source>
<translation>O serviço recusou isto: {said}.</translation>
</message>
<message>
<source>The service refuses everything now and then</source>
<translation>O serviço recusa tudo de vez em quando</translation>
</message>
<message>
<source>The service refuses the request (status {status}): {message}.</source>
<translation>O serviço recusa a requisição (status {status}): {message}.</translation>
</message>
<message>
<source>The service said no, and the stock is as with your {booked} all the same. Either it was done, or somebody else booked the same.</source>
<translation>O serviço recusou e, mesmo assim, o estoque está como ficaria com o seu lançamento de {booked}. Ou ele foi feito, ou outra pessoa lançou o mesmo.</translation>
</message>
<message>
<source>The service says “wait”. The program counts down and goes on by itself; you keep working.</source>
<translation>O serviço diz “aguarde”. O programa faz a contagem e segue sozinho; você continua trabalhando.</translation>
</message>
<message>
<source>The service sent an empty answer instead of data.</source>
<translation>O serviço enviou uma resposta vazia em vez de dados.</translation>
</message>
<message numerus="yes">
<source>The service sent {n} records that this program cannot read; they are safe there.</source>
<translation>
<numerusform>O serviço enviou {n} registro que este programa não consegue ler; ele está seguro lá.</numerusform>
<numerusform>O serviço enviou {n} registros que este programa não consegue ler; eles estão seguros lá.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>The service shows at most {n} in one answer. The others are not here.</source>
<translation>
<numerusform>O serviço mostra no máximo {n} em uma resposta. Os outros não estão aqui.</numerusform>
<numerusform>O serviço mostra no máximo {n} em uma resposta. Os outros não estão aqui.</numerusform>
</translation>
</message>
<message>
<source>The service states its limits in a form that cannot be used: {header}.</source>
<translation>O serviço informa seus limites em um formato que não pode ser usado: {header}.</translation>
</message>
<message>
<source>The service takes no requests for {left}</source>
<translation>O serviço não aceita requisições por {left}</translation>
</message>
<message>
<source>The service takes requests only so quickly, or has just failed.</source>
<translation>O serviço só aceita solicitações nesse ritmo, ou acabou de falhar.</translation>
</message>
<message>
<source>The service takes the key.</source>
<translation>O serviço aceita a chave.</translation>
</message>
<message>
<source>The service took the request, but did not answer in time.</source>
<translation>O serviço recebeu a requisição, mas não respondeu a tempo.</translation>
</message>
<message>
<source>The service wants another key too: {key}.</source>
<translation>O serviço exige mais uma chave: {key}.</translation>
</message>
<message>
<source>The service wants several keys. Put each where it belongs.</source>
<translation>O serviço exige várias chaves. Coloque cada uma em seu lugar.</translation>
</message>
<message>
<source>The service will withdraw it.</source>
<translation>O serviço vai retirá-la.</translation>
</message>
<message>
<source>The service withdraws it after {day}.</source>
<translation>O serviço a retira depois de {day}.</translation>
</message>
<message>
<source>The service’s OpenAPI document cannot be used.</source>
<translation>Não é possível usar o documento OpenAPI do serviço.</translation>
</message>
<message>
<source>The service’s answer did not show that it was done. The program looks, and sends nothing twice.</source>
<translation>A resposta do serviço não mostrou que isso foi feito. O programa verifica e não envia nada duas vezes.</translation>
</message>
<message>
<source>The service’s clock and this computer’s agree.</source>
<translation>O relógio do serviço e o deste computador coincidem.</translation>
</message>
<message>
<source>The service’s clock is {ahead}</source>
<translation>O relógio do serviço está {ahead}</translation>
</message>
<message>
<source>The service’s clock is {length} {way} this computer’s.</source>
<translation>O relógio do serviço está {length} {way} deste computador.</translation>
</message>
<message>
<source>The service’s document has no operation for this.</source>
<translation>O documento do serviço não tem operação para isto.</translation>
</message>
<message>
<source>The service’s own document differs from the profile that this connection follows: {differences}.</source>
<translation>O documento do serviço difere do perfil que esta conexão segue: {differences}.</translation>
</message>
<message>
<source>The service’s provider must turn on TLS 1.2 or later.</source>
<translation>O provedor do serviço precisa ativar o TLS 1.2 ou mais recente.</translation>
</message>
<message>
<source>The shop has not been read since {time}.</source>
<translation>A loja não é lida desde {time}.</translation>
</message>
<message>
<source>The shop reopens with the new settings. Unsent changes are kept.</source>
<translation>A loja reabre com as novas configurações. As alterações não enviadas são mantidas.</translation>
</message>
<message>
<source>The status of a stock entry is set by the service.</source>
<translation>O status de um registro de estoque é definido pelo serviço.</translation>
</message>
<message>
<source>The stock</source>
<translation>O estoque</translation>
</message>
<message>
<source>The stock at the end of these days is not known.</source>
<translation>Não se conhece o estoque no fim desses dias.</translation>
</message>
<message>
<source>The stock is not all on this computer, and all of it is needed to tell.</source>
<translation>Nem todo o estoque está neste computador, e todo ele é necessário para saber isso.</translation>
</message>
<message>
<source>The stock of new pets is left out.</source>
<translation>O estoque dos novos pets fica de fora.</translation>
</message>
<message>
<source>The stock of this pet has not been read.</source>
<translation>O estoque deste pet não foi lido.</translation>
</message>
<message>
<source>The stock of {name} is no longer there</source>
<translation>O estoque de {name} não existe mais</translation>
</message>
<message numerus="yes">
<source>The stock of {n} new pets is left out.</source>
<translation>
<numerusform>O estoque de {n} novo pet fica de fora.</numerusform>
<numerusform>O estoque de {n} novos pets fica de fora.</numerusform>
</translation>
</message>
<message>
<source>The texts of all licences, what each is for, where the source of Qt is and how it is replaced: {folder}</source>
<translation>Os textos de todas as licenças, a que cada uma se aplica, onde está o código-fonte do Qt e como substituí-lo: {folder}</translation>
</message>
<message>
<source>The view {name} is deleted</source>
<translation>A exibição {name} foi excluída</translation>
</message>
<message>
<source>The wait is over: a test request checks whether sending may resume</source>
<translation>A espera acabou: uma requisição de teste verifica se o envio pode ser retomado</translation>
</message>
<message>
<source>The&amp;n by this, descending</source>
<translation>Depois por e&amp;sta, decrescente</translation>
</message>
<message>
<source>Theirs</source>
<translation>Deles</translation>
</message>
<message>
<source>Theirs may include it already. Keep mine adds it to theirs.</source>
<translation>O valor deles talvez já inclua isto. “Manter o meu” soma ao deles.</translation>
</message>
<message>
<source>Theme</source>
<translation>Tema</translation>
</message>
<message>
<source>Then</source>
<translation>Antes</translation>
</message>
<message>
<source>Then print labels</source>
<translation>Imprimir etiquetas depois</translation>
</message>
<message>
<source>Then → Now</source>
<translation>Antes → Agora</translation>
</message>
<message>
<source>There are no categories; the pets get none.</source>
<translation>Não há categorias; os pets ficam sem nenhuma.</translation>
</message>
<message>
<source>There are no labels to print.</source>
<translation>Não há etiquetas para imprimir.</translation>
</message>
<message>
<source>There is a document, but {url} has none of the paths that it names.</source>
<translation>Há um documento, mas {url} não tem nenhum dos caminhos que ele indica.</translation>
</message>
<message>
<source>There is no category #{id}.</source>
<translation>Não existe a categoria #{id}.</translation>
</message>
<message>
<source>There is no category {id} at the service</source>
<translation>Não existe a categoria {id} no serviço</translation>
</message>
<message>
<source>There is no category {name}.</source>
<translation>Não existe a categoria {name}.</translation>
</message>
<message>
<source>There is no column with ids: every row is a new record.</source>
<translation>Não há coluna com ids: cada linha é um registro novo.</translation>
</message>
<message>
<source>There is no computer called {host}.</source>
<translation>Não existe um computador chamado {host}.</translation>
</message>
<message>
<source>There is no connection yet. {command} makes one.</source>
<translation>Ainda não há nenhuma conexão. {command} cria uma.</translation>
</message>
<message>
<source>There is no history yet</source>
<translation>Ainda não há histórico</translation>
</message>
<message>
<source>There is no history yet: what was before is not known.</source>
<translation>Ainda não há histórico: não se sabe o que havia antes.</translation>
</message>
<message>
<source>There is no key for this connection, so nothing else was checked.</source>
<translation>Esta conexão não tem chave, por isso nada mais foi verificado.</translation>
</message>
<message>
<source>There is no key yet, so nothing is sent (File &gt; Change key).</source>
<translation>Ainda não há chave, por isso nada é enviado (Arquivo &gt; Trocar chave).</translation>
</message>
<message>
<source>There is no order {id} at the service</source>
<translation>Não existe o pedido {id} no serviço</translation>
</message>
<message>
<source>There is no pet #{id}.</source>
<translation>Não existe o pet #{id}.</translation>
</message>
<message>
<source>There is no pet {id} at the service</source>
<translation>Não existe o pet {id} no serviço</translation>
</message>
<message>
<source>There is no pet {name}.</source>
<translation>Não existe o pet {name}.</translation>
</message>
<message>
<source>There is no record #{id}. Leave the id empty for a new one.</source>
<translation>Não existe o registro #{id}. Deixe o id vazio para um novo.</translation>
</message>
<message>
<source>There is no stock entry for this pet.</source>
<translation>Não há registro de estoque para este pet.</translation>
</message>
<message>
<source>There is no stock of pet {id} at the service</source>
<translation>Não existe estoque do pet {id} no serviço</translation>
</message>
<message>
<source>There is no stock.</source>
<translation>Não há estoque.</translation>
</message>
<message>
<source>There is no such category.</source>
<translation>Esta categoria não existe.</translation>
</message>
<message>
<source>There is no such file: {file}.</source>
<translation>Esse arquivo não existe: {file}.</translation>
</message>
<message>
<source>There is no such folder: {file}.</source>
<translation>Esta pasta não existe: {file}.</translation>
</message>
<message>
<source>There is no such pet.</source>
<translation>Este pet não existe.</translation>
</message>
<message>
<source>There is no such status.</source>
<translation>Este status não existe.</translation>
</message>
<message>
<source>There is no view in the file</source>
<translation>Não há nenhuma exibição no arquivo</translation>
</message>
<message>
<source>There is no view with the key {key}.</source>
<translation>Não há exibição com a tecla {key}.</translation>
</message>
<message>
<source>There is none yet; this one is added with the pets.</source>
<translation>Ainda não há nenhuma; esta é adicionada com os pets.</translation>
</message>
<message>
<source>There is nothing left of it to redo</source>
<translation>Não resta nada disso para refazer</translation>
</message>
<message>
<source>There is nothing left of it to undo</source>
<translation>Não resta nada disso para desfazer</translation>
</message>
<message>
<source>There is nothing left to correct here.</source>
<translation>Não resta nada para corrigir aqui.</translation>
</message>
<message>
<source>There is nothing to go back to.</source>
<translation>Não há para onde voltar.</translation>
</message>
<message>
<source>There is nothing to go forward to.</source>
<translation>Não há para onde avançar.</translation>
</message>
<message>
<source>There is nothing to keep: no change was made that went well.</source>
<translation>Não há nada para manter: nenhuma alteração feita deu certo.</translation>
</message>
<message>
<source>There is nothing to redo.</source>
<translation>Não há nada para refazer.</translation>
</message>
<message>
<source>There is nothing to undo.</source>
<translation>Não há nada para desfazer.</translation>
</message>
<message>
<source>There is stock for all open orders</source>
<translation>Há estoque para todos os pedidos abertos</translation>
</message>
<message>
<source>These lists cannot be read: {lists}.</source>
<translation>Não é possível ler estas listas: {lists}.</translation>
</message>
<message>
<source>They are in the list, as the service has them. Nothing is deleted again by itself.</source>
<translation>Eles estão na lista, como o serviço os tem. Nada é excluído de novo sozinho.</translation>
</message>
<message>
<source>They are kept, and are not sent to this service.</source>
<translation>Elas são mantidas e não são enviadas a este serviço.</translation>
</message>
<message numerus="yes">
<source>They go out at the next start ({minutes}).</source>
<translation>
<numerusform>Ela será enviada quando você abrir o programa de novo ({minutes}).</numerusform>
<numerusform>Elas serão enviadas quando você abrir o programa de novo ({minutes}).</numerusform>
</translation>
</message>
<message numerus="yes">
<source>They go out at the next start.</source>
<translation>
<numerusform>Ela será enviada quando você abrir o programa de novo.</numerusform>
<numerusform>Elas serão enviadas quando você abrir o programa de novo.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>They go out once you have entered the key again: this computer has no keyring that keeps it.</source>
<translation>
<numerusform>Elas são enviadas quando você digitar a chave de novo: este computador não tem um chaveiro que a guarde.</numerusform>
<numerusform>Elas são enviadas quando você digitar a chave de novo: este computador não tem um chaveiro que a guarde.</numerusform>
</translation>
</message>
<message>
<source>This address belongs to another server than the service’s own.</source>
<translation>Este endereço pertence a um servidor diferente do servidor do serviço.</translation>
</message>
<message>
<source>This cannot be checked now</source>
<translation>Não é possível verificar isto agora</translation>
</message>
<message>
<source>This cannot be edited.</source>
<translation>Isto não pode ser editado.</translation>
</message>
<message>
<source>This cannot be understood.</source>
<translation>Não é possível entender isto.</translation>
</message>
<message>
<source>This cannot be understood: {text}</source>
<translation>Não é possível entender isto: {text}</translation>
</message>
<message>
<source>This cannot be undone.</source>
<translation>Isto não pode ser desfeito.</translation>
</message>
<message>
<source>This code cannot be remembered yet</source>
<translation>Este código ainda não pode ser memorizado</translation>
</message>
<message>
<source>This computer first read the whole shop on {time}; nothing is known from before.</source>
<translation>Primeira leitura completa da loja neste computador: {time}; nada se sabe de antes.</translation>
</message>
<message>
<source>This computer has no keyring that can store a key.</source>
<translation>Este computador não tem um chaveiro que possa guardar uma chave.</translation>
</message>
<message>
<source>This computer has no keyring that keeps secrets, so there is no key; only the document was asked for.</source>
<translation>Este computador não tem um chaveiro que guarde segredos, então não há chave; só o documento foi pedido.</translation>
</message>
<message>
<source>This computer has no printer. Save a PDF instead.</source>
<translation>Este computador não tem impressora. Salve um PDF.</translation>
</message>
<message numerus="yes">
<source>This computer sent about {n} of them, other programs with the same key the rest.</source>
<translation>
<numerusform>Este computador enviou cerca de {n} delas; outros programas com a mesma chave, o resto.</numerusform>
<numerusform>Este computador enviou cerca de {n} delas; outros programas com a mesma chave, o resto.</numerusform>
</translation>
</message>
<message>
<source>This computer trusts the certificate.</source>
<translation>Este computador confia no certificado.</translation>
</message>
<message>
<source>This computer’s keyring refused the request.</source>
<translation>O chaveiro deste computador recusou o acesso.</translation>
</message>
<message>
<source>This computer’s time; the service’s clock is {ahead}.</source>
<translation>Hora deste computador; o relógio do serviço está {ahead}.</translation>
</message>
<message>
<source>This connection is read-only (File &gt; Connection settings).</source>
<translation>Esta conexão é somente leitura (Arquivo &gt; Configurações da conexão).</translation>
</message>
<message>
<source>This could not be checked.</source>
<translation>Não foi possível verificar isto.</translation>
</message>
<message>
<source>This count is closed. Begin a new one to count.</source>
<translation>Esta contagem está encerrada. Comece uma nova para contar.</translation>
</message>
<message>
<source>This date can be read in two ways.</source>
<translation>Esta data pode ser lida de duas formas.</translation>
</message>
<message>
<source>This date cannot be read. The service wrote: {raw}</source>
<translation>Não é possível ler esta data. O serviço escreveu: {raw}</translation>
</message>
<message>
<source>This day is still to come.</source>
<translation>Este dia ainda não chegou.</translation>
</message>
<message>
<source>This file is empty.</source>
<translation>Este arquivo está vazio.</translation>
</message>
<message>
<source>This file is too large. Nothing was imported. Split it, and import the parts.</source>
<translation>Este arquivo é grande demais. Nada foi importado. Divida-o e importe as partes.</translation>
</message>
<message>
<source>This is a PDF, not a table.</source>
<translation>Isto é um PDF, não uma tabela.</translation>
</message>
<message>
<source>This is a compressed file. Unpack it, and import the table in it.</source>
<translation>Este é um arquivo compactado. Descompacte-o e importe a tabela que está nele.</translation>
</message>
<message>
<source>This is a database, not a table.</source>
<translation>Isto é um banco de dados, não uma tabela.</translation>
</message>
<message>
<source>This is a picture, not a table.</source>
<translation>Isto é uma imagem, não uma tabela.</translation>
</message>
<message>
<source>This is a program, not a table.</source>
<translation>Isto é um programa, não uma tabela.</translation>
</message>
<message>
<source>This is before the first day.</source>
<translation>É anterior ao primeiro dia.</translation>
</message>
<message>
<source>This is being deleted.</source>
<translation>Isto está sendo excluído.</translation>
</message>
<message>
<source>This is being sent and cannot be discarded now. What became of it is shown shortly.</source>
<translation>Isto está sendo enviado e não pode ser descartado agora. O resultado aparece em breve.</translation>
</message>
<message>
<source>This is less than the limit per minute. Please check.</source>
<translation>Isto é menos que o limite por minuto. Confira.</translation>
</message>
<message>
<source>This is not a complete file of bar codes: {file}.</source>
<translation>Este não é um arquivo completo de códigos de barras: {file}.</translation>
</message>
<message>
<source>This is not a complete file of views: {file}.</source>
<translation>Este não é um arquivo completo de exibições: {file}.</translation>
</message>
<message>
<source>This is not a text file, so it has no table to read.</source>
<translation>Este não é um arquivo de texto, portanto não tem tabela para ler.</translation>
</message>
<message>
<source>This is not an OpenAPI document.</source>
<translation>Este não é um documento OpenAPI.</translation>
</message>
<message>
<source>This is not an OpenAPI document: it does not say which version of OpenAPI it follows.</source>
<translation>Este não é um documento OpenAPI: ele não diz qual versão do OpenAPI segue.</translation>
</message>
<message>
<source>This is not an id.</source>
<translation>Isto não é um id.</translation>
</message>
<message>
<source>This is not sent yet: there is nothing to ask the service for.</source>
<translation>Isto ainda não foi enviado: não há nada para consultar no serviço.</translation>
</message>
<message>
<source>This is not the address of a service.</source>
<translation>Este não é o endereço de um serviço.</translation>
</message>
<message>
<source>This is not the address of a service. Nothing was sent.</source>
<translation>Este não é o endereço de um serviço. Nada foi enviado.</translation>
</message>
<message>
<source>This is not the address of a service; one begins with https://.</source>
<translation>Este não é o endereço de um serviço; ele começa com https://.</translation>
</message>
<message>
<source>This is unusually long: ask the service’s provider. The program waits.</source>
<translation>Esta espera é muito longa: fale com o provedor do serviço. O programa espera.</translation>
</message>
<message>
<source>This is worked out. Enter the minimum and “Order up to” in the columns before it.</source>
<translation>Este valor é calculado. Digite o mínimo e até quanto pedir nas colunas anteriores.</translation>
</message>
<message>
<source>This key contains characters that cannot be sent. Copy it again.</source>
<translation>Esta chave contém caracteres que não podem ser enviados. Copie-a de novo.</translation>
</message>
<message>
<source>This key is banned already; another request may make the ban longer.</source>
<translation>Esta chave já está suspensa; outra requisição pode prolongar a suspensão.</translation>
</message>
<message>
<source>This key is banned for a while. Another key for the same service waits as long.</source>
<translation>Esta chave está suspensa por um tempo. Outra chave do mesmo serviço espera o mesmo tempo.</translation>
</message>
<message>
<source>This key is banned: nothing is sent before {time} (in {left})</source>
<translation>Esta chave está suspensa: nada será enviado até {time} (daqui a {left})</translation>
</message>
<message>
<source>This key is longer than 16,384 characters, which no service takes. Copy it again.</source>
<translation>Esta chave tem mais de 16.384 caracteres, o que nenhum serviço aceita. Copie-a de novo.</translation>
</message>
<message>
<source>This key may not do this: {said}.</source>
<translation>Esta chave não pode fazer isto: {said}.</translation>
</message>
<message>
<source>This list cannot be read: {lists}.</source>
<translation>Não é possível ler esta lista: {lists}.</translation>
</message>
<message>
<source>This may be the address of a website: ask for the address of the API. Or the network wants you to sign in first: open the address in a browser.</source>
<translation>Este pode ser o endereço de um site: peça o endereço da API. Ou a rede quer que você faça login primeiro: abra o endereço em um navegador.</translation>
</message>
<message>
<source>This minute’s requests are used up: it goes on in {left}</source>
<translation>As requisições deste minuto estão esgotadas: o programa continua daqui a {left}</translation>
</message>
<message>
<source>This month</source>
<translation>Este mês</translation>
</message>
<message>
<source>This number can be read in two ways.</source>
<translation>Este número pode ser lido de duas formas.</translation>
</message>
<message>
<source>This number is too large for the service.</source>
<translation>Este número é grande demais para o serviço.</translation>
</message>
<message>
<source>This number is too large.</source>
<translation>Este número é grande demais.</translation>
</message>
<message>
<source>This order</source>
<translation>Este pedido</translation>
</message>
<message>
<source>This order has no id: it can only be read.</source>
<translation>Este pedido não tem id: só pode ser lido.</translation>
</message>
<message>
<source>This order is complete already.</source>
<translation>Este pedido já está concluído.</translation>
</message>
<message>
<source>This pet is {status}.</source>
<translation>Este pet está {status}.</translation>
</message>
<message>
<source>This record is gone.</source>
<translation>Este registro não existe mais.</translation>
</message>
<message>
<source>This removes its key from the keyring and its data from this computer: the copy of its lists, the history, your views and minimum stock.</source>
<translation>Isto remove a chave dela do chaveiro e os dados dela deste computador: a cópia das listas, o histórico, suas exibições e o estoque mínimo.</translation>
</message>
<message>
<source>This replaces the view {name}.</source>
<translation>Isto substitui a exibição {name}.</translation>
</message>
<message>
<source>This service does not delete them: once sent, this cannot be undone.</source>
<translation>Este serviço não os exclui: depois de enviado, não é possível desfazer.</translation>
</message>
<message>
<source>This service does not offer that.</source>
<translation>Este serviço não oferece isso.</translation>
</message>
<message>
<source>This service signs people in elsewhere. Paste an access token.</source>
<translation>Neste serviço, o login é feito em outro lugar. Cole um token de acesso.</translation>
</message>
<message>
<source>This shop has no categories yet</source>
<translation>Esta loja ainda não tem categorias</translation>
</message>
<message>
<source>This shop has no orders</source>
<translation>Esta loja não tem pedidos</translation>
</message>
<message>
<source>This shop has no pets yet</source>
<translation>Esta loja ainda não tem pets</translation>
</message>
<message>
<source>This shop has no stock entries</source>
<translation>Esta loja não tem registros de estoque</translation>
</message>
<message>
<source>This shop has not been read yet: what is in it is not known.</source>
<translation>Esta loja ainda não foi lida: não se sabe o que há nela.</translation>
</message>
<message>
<source>This shop is empty. Add its first pet under Pets.</source>
<translation>Esta loja está vazia. Adicione o primeiro pet em Pets.</translation>
</message>
<message>
<source>This takes more than half of the requests that are left for today.</source>
<translation>Isto usa mais da metade das requisições que restam hoje.</translation>
</message>
<message>
<source>This text can be read in several ways.</source>
<translation>Este texto pode ser lido de várias formas.</translation>
</message>
<message>
<source>This value cannot be sent.</source>
<translation>Este valor não pode ser enviado.</translation>
</message>
<message>
<source>This week</source>
<translation>Esta semana</translation>
</message>
<message>
<source>This workbook cannot be read. Save it as XLSX or CSV, and import that.</source>
<translation>Não é possível ler esta pasta de trabalho. Salve-a como XLSX ou CSV e importe esse arquivo.</translation>
</message>
<message>
<source>This workbook is old or has a password. Save it as XLSX or CSV, and import that.</source>
<translation>Esta pasta de trabalho é antiga ou tem senha. Salve-a como XLSX ou CSV e importe esse arquivo.</translation>
</message>
<message>
<source>Throw away</source>
<translation>Descartar</translation>
</message>
<message>
<source>Throw them away</source>
<translation>Descartar</translation>
</message>
<message>
<source>Time</source>
<translation>Hora</translation>
</message>
<message>
<source>Times are this computer’s; the service’s clock is {ahead}.</source>
<translation>Os horários são deste computador; o relógio do serviço está {ahead}.</translation>
</message>
<message>
<source>To</source>
<translation>Até</translation>
</message>
<message>
<source>To change</source>
<translation>A alterar</translation>
</message>
<message>
<source>To come</source>
<translation>Futuros</translation>
</message>
<message>
<source>To count</source>
<translation>A contar</translation>
</message>
<message>
<source>To order</source>
<translation>A repor</translation>
</message>
<message>
<source>To report it, copy the details. Then continue.</source>
<translation>Para relatar o erro, copie os detalhes. Depois continue.</translation>
</message>
<message>
<source>To send them, connect to that address again.</source>
<translation>Para enviá-las, conecte de novo a esse endereço.</translation>
</message>
<message>
<source>To set one, select pets, stock or categories, then choose Shop &gt; Minimum stock.</source>
<translation>Para definir um, selecione pets, estoque ou categorias e escolha Loja &gt; Estoque mínimo.</translation>
</message>
<message>
<source>Today</source>
<translation>Hoje</translation>
</message>
<message numerus="yes">
<source>Today’s requests are not enough for this. The rest is saved on this computer, and goes out by itself on the next {n} days.</source>
<translation>
<numerusform>As requisições de hoje não bastam para isto. O resto fica salvo neste computador e será enviado automaticamente no dia seguinte.</numerusform>
<numerusform>As requisições de hoje não bastam para isto. O resto fica salvo neste computador e será enviado automaticamente nos próximos {n} dias.</numerusform>
</translation>
</message>
<message>
<source>Today’s requests are used up</source>
<translation>As requisições de hoje estão esgotadas</translation>
</message>
<message>
<source>Today’s requests are used up: changes go out when the program is open after {time}.</source>
<translation>As requisições de hoje estão esgotadas: as alterações serão enviadas quando o programa estiver aberto a partir de {time}.</translation>
</message>
<message numerus="yes">
<source>Today’s {n} requests are used up</source>
<translation>
<numerusform>A requisição de hoje está esgotada</numerusform>
<numerusform>As {n} requisições de hoje estão esgotadas</numerusform>
</translation>
</message>
<message>
<source>Tomorrow</source>
<translation>Amanhã</translation>
</message>
<message>
<source>Too large.</source>
<translation>Grande demais.</translation>
</message>
<message>
<source>Too small.</source>
<translation>Pequeno demais.</translation>
</message>
<message>
<source>Took</source>
<translation>Duração</translation>
</message>
<message>
<source>Took, s</source>
<translation>Duração, s</translation>
</message>
<message>
<source>Treat scans as typing</source>
<translation>Tratar leituras como digitação</translation>
</message>
<message>
<source>Try again</source>
<translation>Tentar de novo</translation>
</message>
<message>
<source>Try again later.</source>
<translation>Tente mais tarde.</translation>
</message>
<message>
<source>Try again later. If it keeps failing, ask the service’s provider.</source>
<translation>Tente mais tarde. Se continuar falhando, fale com o provedor do serviço.</translation>
</message>
<message>
<source>Try again later. If it keeps failing, tell the service’s provider.</source>
<translation>Tente mais tarde. Se continuar falhando, avise o provedor do serviço.</translation>
</message>
<message>
<source>Try again, or see the server response.</source>
<translation>Tente de novo ou veja a resposta do servidor.</translation>
</message>
<message>
<source>Try again.</source>
<translation>Tente de novo.</translation>
</message>
<message>
<source>Try again. If it fails again, ask the service’s provider.</source>
<translation>Tente de novo. Se falhar outra vez, fale com o provedor do serviço.</translation>
</message>
<message>
<source>Try again. If it fails again, check the network and the address.</source>
<translation>Tente de novo. Se falhar outra vez, confira a rede e o endereço.</translation>
</message>
<message>
<source>Try again. If it happens often, check the network or the proxy.</source>
<translation>Tente de novo. Se acontecer com frequência, confira a rede ou o proxy.</translation>
</message>
<message>
<source>Try the demo shop</source>
<translation>Testar a loja demo</translation>
</message>
<message>
<source>Type +12 into a stock, and Enter: saved on this computer first, then sent, once.</source>
<translation>Digite +12 em um estoque e Enter: primeiro salvo neste computador, depois enviado, uma vez.</translation>
</message>
<message>
<source>Type a name or an id</source>
<translation>Digite um nome ou um id</translation>
</message>
<message>
<source>Type a pet’s name or id.</source>
<translation>Digite o nome ou o id de um pet.</translation>
</message>
<message>
<source>Type in a cell to replace its value; +12 adds, =40 sets.</source>
<translation>Digite em uma célula para substituir o valor; +12 soma, =40 define.</translation>
</message>
<message>
<source>Type it in the column Minimum, or select categories and choose Shop &gt; Minimum stock.</source>
<translation>Digite-o na coluna Mínimo, ou selecione categorias e escolha Loja &gt; Estoque mínimo.</translation>
</message>
<message>
<source>UTF-16, other byte order</source>
<translation>UTF-16, outra ordem de bytes</translation>
</message>
<message>
<source>Unconfirmed</source>
<translation>Não confirmadas</translation>
</message>
<message>
<source>Undo</source>
<translation>Desfazer</translation>
</message>
<message>
<source>Undo these changes</source>
<translation>Desfazer estas alterações</translation>
</message>
<message>
<source>Undo what was before</source>
<translation>Desfazer o que veio antes</translation>
</message>
<message>
<source>Undo: {what}</source>
<translation>Desfazer: {what}</translation>
</message>
<message>
<source>Undone {time}, never sent.</source>
<translation>Desfeita ({time}), nunca enviada.</translation>
</message>
<message>
<source>Undone {time}.</source>
<translation>Desfeita ({time}).</translation>
</message>
<message>
<source>Undone {time}; the service had refused it.</source>
<translation>Desfeita ({time}); o serviço a havia recusado.</translation>
</message>
<message>
<source>Undone: {what}</source>
<translation>Desfeito: {what}</translation>
</message>
<message>
<source>Unexpected error: {name}.</source>
<translation>Erro inesperado: {name}.</translation>
</message>
<message>
<source>Unfr&amp;eeze columns</source>
<translation>Desc&amp;ongelar colunas</translation>
</message>
<message>
<source>Unknown code</source>
<translation>Código desconhecido</translation>
</message>
<message>
<source>Unknown code {code}</source>
<translation>Código desconhecido {code}</translation>
</message>
<message>
<source>Unknown code {code}: kept under Unknown codes</source>
<translation>Código desconhecido {code}: guardado em Códigos desconhecidos</translation>
</message>
<message>
<source>Unknown codes</source>
<translation>Códigos desconhecidos</translation>
</message>
<message>
<source>Unlock it, then enter the key again.</source>
<translation>Desbloqueie-o e digite a chave de novo.</translation>
</message>
<message>
<source>Unlock or set up the keyring, then enter the key again.</source>
<translation>Desbloqueie ou configure o chaveiro e digite a chave de novo.</translation>
</message>
<message>
<source>Unlock the keyring, then check again.</source>
<translation>Desbloqueie o chaveiro e verifique de novo.</translation>
</message>
<message>
<source>Unsent</source>
<translation>Não enviados</translation>
</message>
<message>
<source>Unsent categories</source>
<translation>Categorias não enviadas</translation>
</message>
<message>
<source>Unsent changes are discarded; the records show the service’s values again.</source>
<translation>Alterações não enviadas são descartadas; os registros voltam a mostrar os valores do serviço.</translation>
</message>
<message>
<source>Unsent changes stay here until you turn this off.</source>
<translation>As alterações não enviadas ficam aqui até você desativar isto.</translation>
</message>
<message>
<source>Unsent orders</source>
<translation>Pedidos não enviados</translation>
</message>
<message>
<source>Unsent stock</source>
<translation>Estoque não enviado</translation>
</message>
<message>
<source>Unusually large: please check</source>
<translation>Muito alto: confira</translation>
</message>
<message>
<source>Up and Down change the part under the caret, Alt+Down opens a calendar</source>
<translation>As setas para cima e para baixo alteram a parte sob o cursor; Alt+Seta para baixo abre um calendário</translation>
</message>
<message>
<source>Use QR codes</source>
<translation>Usar códigos QR</translation>
</message>
<message>
<source>Use an address that begins with https://. Plain http works only on this computer.</source>
<translation>Use um endereço que comece com https://. O http simples só funciona neste computador.</translation>
</message>
<message>
<source>Use for this</source>
<translation>Usar para isto</translation>
</message>
<message>
<source>Use for “{what}”</source>
<translation>Usar para “{what}”</translation>
</message>
<message>
<source>Use that window, or close it.</source>
<translation>Use essa janela ou feche-a.</translation>
</message>
<message>
<source>Use this key</source>
<translation>Usar esta chave</translation>
</message>
<message>
<source>Use this size</source>
<translation>Usar este tamanho</translation>
</message>
<message>
<source>Use {address}</source>
<translation>Usar {address}</translation>
</message>
<message>
<source>Use {url}.</source>
<translation>Use {url}.</translation>
</message>
<message>
<source>Used in the last 24 hours</source>
<translation>Usadas nas últimas 24 horas</translation>
</message>
<message>
<source>Used since {time}</source>
<translation>Usadas desde {time}</translation>
</message>
<message>
<source>Used today</source>
<translation>Usadas hoje</translation>
</message>
<message>
<source>Used up</source>
<translation>Esgotadas</translation>
</message>
<message>
<source>Used up at about {time} at this pace</source>
<translation>Neste ritmo, acabam por volta de {time}</translation>
</message>
<message>
<source>Used up. Full again at {time}.</source>
<translation>Esgotadas. Renovação: {time}.</translation>
</message>
<message>
<source>Values that the service needs and that are not known: {names}. Enter them in the connection’s settings.</source>
<translation>Valores de que o serviço precisa e que não são conhecidos: {names}. Digite-os nas configurações da conexão.</translation>
</message>
<message>
<source>Variances</source>
<translation>Divergências</translation>
</message>
<message>
<source>Version {version}</source>
<translation>Versão {version}</translation>
</message>
<message>
<source>Version {version} is available</source>
<translation>A versão {version} está disponível</translation>
</message>
<message>
<source>Vie&amp;ws</source>
<translation>Exi&amp;bições</translation>
</message>
<message>
<source>View {n} of the file</source>
<translation>Exibição {n} do arquivo</translation>
</message>
<message>
<source>View {n} of the file, {name}</source>
<translation>Exibição {n} do arquivo, {name}</translation>
</message>
<message>
<source>View · {list}</source>
<translation>Exibição · {list}</translation>
</message>
<message>
<source>Views (*.json)</source>
<translation>Exibições (*.json)</translation>
</message>
<message>
<source>Views of this list</source>
<translation>Exibições desta lista</translation>
</message>
<message>
<source>Violet</source>
<translation>Violeta</translation>
</message>
<message>
<source>Wait until the ban ends. Check whether another program still sends with this key.</source>
<translation>Espere o fim da suspensão. Veja se outro programa ainda envia com esta chave.</translation>
</message>
<message>
<source>Wait, then check again.</source>
<translation>Espere e verifique de novo.</translation>
</message>
<message>
<source>Wait: it goes on by itself. If it happens again, ask the service’s provider.</source>
<translation>Espere: o envio segue sozinho. Se acontecer de novo, fale com o provedor do serviço.</translation>
</message>
<message>
<source>Wait: sending now would make the ban longer.</source>
<translation>Espere: enviar agora prolongaria a suspensão.</translation>
</message>
<message>
<source>Waited</source>
<translation>Espera</translation>
</message>
<message>
<source>Waited, s</source>
<translation>Espera, s</translation>
</message>
<message>
<source>Waiting</source>
<translation>Aguardando</translation>
</message>
<message>
<source>Waiting: {wait}.</source>
<translation>Aguardando: {wait}.</translation>
</message>
<message>
<source>Waits for its turn, until {time}.</source>
<translation>Aguarda a vez, até {time}.</translation>
</message>
<message>
<source>Waits for its turn.</source>
<translation>Aguarda a vez.</translation>
</message>
<message>
<source>Waits for the minute’s requests, until {time}.</source>
<translation>Aguarda as solicitações do próximo minuto, até {time}.</translation>
</message>
<message>
<source>Waits for the minute’s requests.</source>
<translation>Aguarda as solicitações do próximo minuto.</translation>
</message>
<message>
<source>Waits for the next day’s requests, until {time}.</source>
<translation>Aguarda as solicitações do próximo dia, até {time}.</translation>
</message>
<message>
<source>Waits for the next day’s requests.</source>
<translation>Aguarda as solicitações do próximo dia.</translation>
</message>
<message>
<source>Weekly report: &amp;last week…</source>
<translation>Relatório semanal: semana &amp;passada…</translation>
</message>
<message>
<source>Weekly report: &amp;this week…</source>
<translation>Relatório semanal: &amp;esta semana…</translation>
</message>
<message>
<source>What</source>
<translation>O quê</translation>
</message>
<message>
<source>What came in</source>
<translation>O que chegou</translation>
</message>
<message>
<source>What changed</source>
<translation>O que mudou</translation>
</message>
<message>
<source>What changed in these days is not known.</source>
<translation>Não se sabe o que mudou nesses dias.</translation>
</message>
<message numerus="yes">
<source>What changed in {lists} is not known: these lists have not been read whole.</source>
<translation>
<numerusform>Não se sabe o que mudou em {lists}: esta lista não foi lida por completo.</numerusform>
<numerusform>Não se sabe o que mudou em {lists}: estas listas não foram lidas por completo.</numerusform>
</translation>
</message>
<message>
<source>What changed is known since {time}, when the history on this computer begins.</source>
<translation>O que mudou é conhecido desde {time}, quando começa o histórico neste computador.</translation>
</message>
<message>
<source>What changed since {time} is not known.</source>
<translation>Não se sabe o que mudou desde {time}.</translation>
</message>
<message>
<source>What changes while you are away is listed here.</source>
<translation>O que muda enquanto você está fora aparece aqui.</translation>
</message>
<message>
<source>What is shown</source>
<translation>O que é mostrado</translation>
</message>
<message>
<source>What to count</source>
<translation>O que contar</translation>
</message>
<message>
<source>What was sent is in the shop. Changes that were still waiting are not sent by themselves.</source>
<translation>O que foi enviado está na loja. As alterações que ainda aguardavam não são enviadas automaticamente.</translation>
</message>
<message>
<source>What was sent is in the shop. Changes that were still waiting, if any, are lost with the file.</source>
<translation>O que foi enviado está na loja. As alterações que ainda aguardavam, se havia alguma, se perderam com o arquivo.</translation>
</message>
<message numerus="yes">
<source>What was sent is in the shop. {n} changes that were still waiting are not sent by themselves; they are listed in {list}.</source>
<translation>
<numerusform>O que foi enviado está na loja. {n} alteração que ainda aguardava não é enviada automaticamente; ela está listada em {list}.</numerusform>
<numerusform>O que foi enviado está na loja. {n} alterações que ainda aguardavam não são enviadas automaticamente; elas estão listadas em {list}.</numerusform>
</translation>
</message>
<message>
<source>What will change</source>
<translation>O que vai mudar</translation>
</message>
<message>
<source>What you add here is saved at once and sent to the service.</source>
<translation>O que você adiciona aqui é salvo na hora e enviado ao serviço.</translation>
</message>
<message>
<source>What you did here is thrown away. Nothing of it has reached the shop.</source>
<translation>O que você fez aqui será descartado. Nada disso chegou à loja.</translation>
</message>
<message>
<source>What you saved is safe.</source>
<translation>O que você salvou está seguro.</translation>
</message>
<message>
<source>What you saved is safe. This report stays on this computer; it holds no key and no record.</source>
<translation>O que você salvou está seguro. Este relatório permanece neste computador; ele não contém nenhuma chave nem registro.</translation>
</message>
<message>
<source>What you typed will be lost.</source>
<translation>O que você digitou será perdido.</translation>
</message>
<message>
<source>What {shop} offers is not known yet.</source>
<translation>Ainda não se sabe o que {shop} oferece.</translation>
</message>
<message>
<source>Which id of an entry a change of stock means ({name}, or the entry’s own) is found out by reading, before the first one; where the service does not tell, stock is only read.</source>
<translation>Qual id de uma entrada uma alteração de estoque indica ({name} ou o da própria entrada) é descoberto por leitura, antes da primeira; se o serviço não disser, o estoque só é lido.</translation>
</message>
<message>
<source>Which orders are overdue is not known.</source>
<translation>Não se sabe quais pedidos estão atrasados.</translation>
</message>
<message>
<source>Which pet is {code}?</source>
<translation>Qual pet é {code}?</translation>
</message>
<message>
<source>Which pet is {code}? Type its id or name, then press Enter.</source>
<translation>Qual pet é {code}? Digite o id ou o nome e tecle Enter.</translation>
</message>
<message>
<source>Which pet?</source>
<translation>Qual pet?</translation>
</message>
<message>
<source>Which stock is low is not known.</source>
<translation>Não se sabe qual estoque está baixo.</translation>
</message>
<message>
<source>Who</source>
<translation>Onde</translation>
</message>
<message>
<source>Windows, Arabic (1256)</source>
<translation>Windows, árabe (1256)</translation>
</message>
<message>
<source>Windows, Baltic (1257)</source>
<translation>Windows, báltico (1257)</translation>
</message>
<message>
<source>Windows, Central Europe (1250)</source>
<translation>Windows, Europa Central (1250)</translation>
</message>
<message>
<source>Windows, Cyrillic (1251)</source>
<translation>Windows, cirílico (1251)</translation>
</message>
<message>
<source>Windows, Greek (1253)</source>
<translation>Windows, grego (1253)</translation>
</message>
<message>
<source>Windows, Hebrew (1255)</source>
<translation>Windows, hebraico (1255)</translation>
</message>
<message>
<source>Windows, Thai (874)</source>
<translation>Windows, tailandês (874)</translation>
</message>
<message>
<source>Windows, Turkish (1254)</source>
<translation>Windows, turco (1254)</translation>
</message>
<message>
<source>Windows, Western (1252)</source>
<translation>Windows, ocidental (1252)</translation>
</message>
<message>
<source>With plain http, others on the way to {host} could read the key. Nothing was sent.</source>
<translation>Com http simples, outros no caminho até {host} poderiam ler a chave. Nada foi enviado.</translation>
</message>
<message>
<source>Without</source>
<translation>Sem</translation>
</message>
<message>
<source>Without a category</source>
<translation>Sem categoria</translation>
</message>
<message>
<source>Without a ship date</source>
<translation>Sem data de envio</translation>
</message>
<message>
<source>Without a time zone, shown as it is. The service wrote: {raw}</source>
<translation>Sem fuso horário, mostrado como está. O serviço escreveu: {raw}</translation>
</message>
<message>
<source>Worth a look</source>
<translation>Vale conferir</translation>
</message>
<message>
<source>Write names with dots between them, such as category.id.</source>
<translation>Escreva os nomes separados por pontos, como category.id.</translation>
</message>
<message>
<source>Wrong</source>
<translation>Com erro</translation>
</message>
<message>
<source>Year-Month-Day</source>
<translation>Ano-Mês-Dia</translation>
</message>
<message>
<source>Yesterday</source>
<translation>Ontem</translation>
</message>
<message>
<source>You already have all bar codes of the file</source>
<translation>Você já tem todos os códigos de barras do arquivo</translation>
</message>
<message>
<source>You already have all views of the file</source>
<translation>Você já tem todas as exibições do arquivo</translation>
</message>
<message>
<source>You can read and edit everything on this computer.</source>
<translation>Você pode ler e editar tudo neste computador.</translation>
</message>
<message>
<source>You can set a minimum once the service has given it an id</source>
<translation>Você pode definir um mínimo quando o serviço tiver dado um id a ele</translation>
</message>
<message>
<source>You can undo it here, even weeks later.</source>
<translation>Você pode desfazê-la aqui, mesmo semanas depois.</translation>
</message>
<message>
<source>You chose {endpoint}, which the document no longer has or which cannot be used.</source>
<translation>Você escolheu {endpoint}, que o documento não tem mais ou que não pode ser usado.</translation>
</message>
<message numerus="yes">
<source>You corrected {n} cells.</source>
<translation>
<numerusform>Você corrigiu {n} célula.</numerusform>
<numerusform>Você corrigiu {n} células.</numerusform>
</translation>
</message>
<message>
<source>You don’t need to do anything.</source>
<translation>Você não precisa fazer nada.</translation>
</message>
<message>
<source>You have not been away yet.</source>
<translation>Você ainda não se ausentou.</translation>
</message>
<message>
<source>You, {time}</source>
<translation>Você, {time}</translation>
</message>
<message>
<source>Your bar codes are unchanged.</source>
<translation>Seus códigos de barras não mudaram.</translation>
</message>
<message>
<source>Your changes and all other data are safe. The readable part of it is still used.</source>
<translation>Suas alterações e todos os outros dados estão seguros. A parte legível dele continua em uso.</translation>
</message>
<message>
<source>Your changes and all other data are safe; only that list starts again.</source>
<translation>Suas alterações e todos os outros dados estão seguros; só essa lista recomeça.</translation>
</message>
<message>
<source>Your changes and all other data are safe; only the history starts again.</source>
<translation>Suas alterações e todos os outros dados estão seguros; só o histórico recomeça.</translation>
</message>
<message>
<source>Your changes are kept in a network folder: {file}.</source>
<translation>Suas alterações são guardadas em uma pasta de rede: {file}.</translation>
</message>
<message>
<source>Your changes are safe, and all else goes on. What changes meanwhile is recorded with less exact times.</source>
<translation>Suas alterações estão seguras e todo o resto continua. O que mudar nesse meio-tempo será registrado com horários menos exatos.</translation>
</message>
<message>
<source>Your changes are safe, and sending goes on; only the list of requests will have gaps.</source>
<translation>Suas alterações estão seguras e o envio continua; só a lista de requisições terá lacunas.</translation>
</message>
<message>
<source>Your changes are safe. Before anything else is sent, one test request checks for a pause.</source>
<translation>Suas alterações estão seguras. Antes de enviar qualquer outra coisa, uma requisição de teste verifica se há uma pausa.</translation>
</message>
<message>
<source>Your changes are safe; its data is read from the service again.</source>
<translation>Suas alterações estão seguras; os dados dele são lidos de novo do serviço.</translation>
</message>
<message>
<source>Your changes are saved on this computer and go out by themselves {when}.</source>
<translation>Suas alterações estão salvas neste computador e serão enviadas automaticamente {when}.</translation>
</message>
<message>
<source>Your changes are saved on this computer.</source>
<translation>Suas alterações estão salvas neste computador.</translation>
</message>
<message>
<source>Your changes are saved on this computer; nothing is sent until a key works.</source>
<translation>Suas alterações estão salvas neste computador; nada é enviado até que uma chave funcione.</translation>
</message>
<message>
<source>Your changes are saved on this computer; what needs this key is not sent until one works.</source>
<translation>Suas alterações estão salvas neste computador; o que precisa desta chave não é enviado até que uma funcione.</translation>
</message>
<message>
<source>Your changes are saved on this computer; what needs this key is not sent until then.</source>
<translation>Suas alterações estão salvas neste computador; o que precisa desta chave não é enviado até lá.</translation>
</message>
<message>
<source>Your data on this computer is kept.</source>
<translation>Seus dados neste computador são mantidos.</translation>
</message>
<message>
<source>Your draft of {time} is filled in.</source>
<translation>Os campos foram preenchidos com seu rascunho de {time}.</translation>
</message>
<message numerus="yes">
<source>Your plan allows {n} in a minute, and this computer has sent as many.</source>
<translation>
<numerusform>Seu plano permite {n} por minuto, e este computador já enviou essa quantidade.</numerusform>
<numerusform>Seu plano permite {n} por minuto, e este computador já enviou essa quantidade.</numerusform>
</translation>
</message>
<message>
<source>Your shops</source>
<translation>Suas lojas</translation>
</message>
<message>
<source>Your shop’s name, or a greeting</source>
<translation>O nome da sua loja ou uma saudação</translation>
</message>
<message>
<source>Your shop’s pets, stock and orders, online and offline.</source>
<translation>Pets, estoque e pedidos da sua loja, online e offline.</translation>
</message>
<message>
<source>Your views are unchanged.</source>
<translation>Suas exibições não mudaram.</translation>
</message>
<message numerus="yes">
<source>Your {n} changes are saved on this computer and go out afterwards.</source>
<translation>
<numerusform>Sua alteração está salva neste computador e será enviada depois.</numerusform>
<numerusform>Suas {n} alterações estão salvas neste computador e serão enviadas depois.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Your {n} changes are saved on this computer; they go out by themselves {when}.</source>
<translation>
<numerusform>Sua alteração está salva neste computador; ela será enviada automaticamente {when}.</numerusform>
<numerusform>Suas {n} alterações estão salvas neste computador; elas serão enviadas automaticamente {when}.</numerusform>
</translation>
</message>
<message>
<source>Yours of {acted}; changed elsewhere, seen {seen}.</source>
<translation>Seu valor: {acted}. Alterado em outro lugar, visto: {seen}.</translation>
</message>
<message>
<source>a cache answered for the service, so that a change by somebody else could have been overwritten. Sent again, it rests on what was last seen</source>
<translation>um cache respondeu no lugar do serviço, e uma alteração de outra pessoa poderia ter sido sobrescrita. Se for reenviada, ela se baseia no que foi visto por último</translation>
</message>
<message>
<source>a cell holds at most {most} signs, and a text is longer; nothing was written: use csv or json</source>
<translation>uma célula comporta no máximo {most} caracteres e um texto é maior; nada foi gravado: use csv ou json</translation>
</message>
<message>
<source>a connection needs a name</source>
<translation>uma conexão precisa de um nome</translation>
</message>
<message>
<source>a day such as {day}, or a word such as today</source>
<translation>um dia como {day} ou uma palavra como hoje</translation>
</message>
<message>
<source>a deleted order stays deleted</source>
<translation>um pedido excluído continua excluído</translation>
</message>
<message>
<source>a file in the format {format} is nothing for a terminal; say where it is to go with --out FILE</source>
<translation>um arquivo no formato {format} não pode ser mostrado em um terminal; informe o destino com --out ARQUIVO</translation>
</message>
<message>
<source>a guess, read only</source>
<translation>deduzido, somente leitura</translation>
</message>
<message>
<source>a later day</source>
<translation>um dia posterior</translation>
</message>
<message>
<source>a moment</source>
<translation>um instante</translation>
</message>
<message>
<source>a number from 1 to 1,000,000</source>
<translation>um número de 1 a 1.000.000</translation>
</message>
<message>
<source>a number such as 5, &gt;10 or 10..20</source>
<translation>um número como 5, &gt;10 ou 10..20</translation>
</message>
<message>
<source>a sheet holds at most {most} rows; nothing was written: use the format csv or json</source>
<translation>uma planilha comporta no máximo {most} linhas; nada foi gravado: use o formato csv ou json</translation>
</message>
<message>
<source>a test request checks whether sending may resume</source>
<translation>uma requisição de teste verifica se o envio pode ser retomado</translation>
</message>
<message>
<source>a web page came back instead of data.</source>
<translation>veio uma página web em vez de dados.</translation>
</message>
<message>
<source>a web page, such as a login page, answered instead of the service, and nothing was changed</source>
<translation>uma página web, como uma página de login, respondeu no lugar do serviço, e nada foi alterado</translation>
</message>
<message numerus="yes">
<source>about {n} days</source>
<translation>
<numerusform>cerca de {n} dia</numerusform>
<numerusform>cerca de {n} dias</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} days left</source>
<translation>
<numerusform>resta cerca de {n} dia</numerusform>
<numerusform>restam cerca de {n} dias</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} h</source>
<translation>
<numerusform>cerca de {n} h</numerusform>
<numerusform>cerca de {n} h</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} min</source>
<translation>
<numerusform>cerca de {n} min</numerusform>
<numerusform>cerca de {n} min</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} requests</source>
<translation>
<numerusform>cerca de {n} requisição</numerusform>
<numerusform>cerca de {n} requisições</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} s</source>
<translation>
<numerusform>cerca de {n} s</numerusform>
<numerusform>cerca de {n} s</numerusform>
</translation>
</message>
<message>
<source>add create animal</source>
<translation>adicionar criar incluir cadastrar animal bicho</translation>
</message>
<message>
<source>add create group</source>
<translation>adicionar criar incluir cadastrar grupo</translation>
</message>
<message>
<source>add create sell sale place phone call customer</source>
<translation>adicionar criar vender venda pedir encomenda telefone ligação cliente</translation>
</message>
<message>
<source>after {time} (in {left})</source>
<translation>a partir de {time} (daqui a {left})</translation>
</message>
<message>
<source>again repeat</source>
<translation>de novo repetir</translation>
</message>
<message>
<source>ahead of</source>
<translation>adiantado em relação ao</translation>
</message>
<message>
<source>ambiguous option: {words} could match {names}</source>
<translation>opção ambígua: {words} pode ser {names}</translation>
</message>
<message>
<source>an authority</source>
<translation>uma autoridade</translation>
</message>
<message>
<source>an empty list</source>
<translation>uma lista vazia</translation>
</message>
<message>
<source>an empty object</source>
<translation>um objeto vazio</translation>
</message>
<message>
<source>an empty text</source>
<translation>um texto vazio</translation>
</message>
<message>
<source>an unknown time</source>
<translation>uma hora desconhecida</translation>
</message>
<message numerus="yes">
<source>and {n} more</source>
<translation>
<numerusform>e mais {n}</numerusform>
<numerusform>e mais {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>and {n} more categories</source>
<translation>
<numerusform>e mais {n} categoria</numerusform>
<numerusform>e mais {n} categorias</numerusform>
</translation>
</message>
<message>
<source>another address</source>
<translation>outro endereço</translation>
</message>
<message>
<source>another connection is called {name}; choose another name</source>
<translation>outra conexão se chama {name}; escolha outro nome</translation>
</message>
<message>
<source>another name</source>
<translation>outro nome</translation>
</message>
<message>
<source>another one</source>
<translation>outro</translation>
</message>
<message>
<source>answered</source>
<translation>respondido</translation>
</message>
<message>
<source>anything about categories</source>
<translation>tudo sobre categorias</translation>
</message>
<message>
<source>anything about orders</source>
<translation>tudo sobre pedidos</translation>
</message>
<message>
<source>anything about pets</source>
<translation>tudo sobre pets</translation>
</message>
<message>
<source>anything about the stock</source>
<translation>tudo sobre o estoque</translation>
</message>
<message>
<source>api endpoints openapi document contract offers deprecated beta</source>
<translation>api endpoints openapi documento contrato oferece obsoleta beta</translation>
</message>
<message>
<source>api key password token secret credentials log in login</source>
<translation>api chave senha token segredo credenciais login entrar</translation>
</message>
<message>
<source>argument {name}: {what}</source>
<translation>argumento {name}: {what}</translation>
</message>
<message>
<source>as in the address</source>
<translation>como no endereço</translation>
</message>
<message>
<source>as of {time}</source>
<translation>dados de {time}</translation>
</message>
<message>
<source>as published</source>
<translation>como publicado</translation>
</message>
<message>
<source>as soon as the day has requests again</source>
<translation>assim que o dia tiver requisições de novo</translation>
</message>
<message>
<source>as the program names it</source>
<translation>como o programa o chama</translation>
</message>
<message>
<source>as the service sets it</source>
<translation>como o serviço definir</translation>
</message>
<message>
<source>asked for #{asked}, the service answered with #{got}.</source>
<translation>consultado sobre #{asked}, o serviço respondeu com #{got}.</translation>
</message>
<message>
<source>attention  refused, in conflict or unconfirmed</source>
<translation>atenção  recusado, em conflito ou não confirmado</translation>
</message>
<message>
<source>automatic</source>
<translation>automático</translation>
</message>
<message>
<source>available</source>
<translation>disponível</translation>
</message>
<message>
<source>background</source>
<translation>segundo plano</translation>
</message>
<message>
<source>bar code {code}</source>
<translation>código de barras {code}</translation>
</message>
<message>
<source>bar codes</source>
<comment>the name of a file</comment>
<translation>códigos de barras</translation>
</message>
<message>
<source>barcode bar code qr sticker tag print shelf</source>
<translation>código de barras qr adesivo rótulo imprimir prateleira gôndola</translation>
</message>
<message>
<source>begun {time}</source>
<translation>início: {time}</translation>
</message>
<message>
<source>behind</source>
<translation>atrasado em relação ao</translation>
</message>
<message>
<source>being sent</source>
<translation>sendo enviado</translation>
</message>
<message>
<source>below-zero  the stock is below zero</source>
<translation>abaixo-de-zero  o estoque está abaixo de zero</translation>
</message>
<message>
<source>beta</source>
<translation>beta</translation>
</message>
<message>
<source>booked</source>
<translation>lançado</translation>
</message>
<message>
<source>broken off</source>
<translation>interrompido</translation>
</message>
<message>
<source>bug report log</source>
<translation>erro relatório log</translation>
</message>
<message>
<source>cancel orders</source>
<translation>cancelar pedidos</translation>
</message>
<message>
<source>cancelled</source>
<translation>cancelado</translation>
</message>
<message>
<source>categories</source>
<translation>categorias</translation>
</message>
<message>
<source>category {id}</source>
<translation>categoria {id}</translation>
</message>
<message>
<source>change categories</source>
<translation>alterar categorias</translation>
</message>
<message>
<source>change connection server window</source>
<translation>trocar mudar conexão servidor janela</translation>
</message>
<message>
<source>change orders</source>
<translation>alterar pedidos</translation>
</message>
<message>
<source>change pets</source>
<translation>alterar pets</translation>
</message>
<message>
<source>change quantity amount count inventory book</source>
<translation>alterar quantidade saldo contar inventário lançar</translation>
</message>
<message>
<source>change rename modify</source>
<translation>alterar mudar renomear modificar</translation>
</message>
<message>
<source>change rename modify bulk</source>
<translation>alterar mudar renomear modificar em massa</translation>
</message>
<message>
<source>change the stock</source>
<translation>alterar o estoque</translation>
</message>
<message>
<source>changed</source>
<translation>alterado</translation>
</message>
<message>
<source>changed  today, by you or at the service</source>
<translation>alterado  hoje, por você ou no serviço</translation>
</message>
<message>
<source>changed by somebody else</source>
<translation>alterado por outra pessoa</translation>
</message>
<message>
<source>changed elsewhere</source>
<translation>alterado em outro lugar</translation>
</message>
<message>
<source>changes</source>
<translation>alterações</translation>
</message>
<message>
<source>changes to</source>
<translation>muda para</translation>
</message>
<message>
<source>changes to {value}</source>
<translation>muda para {value}</translation>
</message>
<message>
<source>changes wait for the next day</source>
<translation>alterações aguardam o dia seguinte</translation>
</message>
<message>
<source>changes {day}</source>
<comment>the name of a file</comment>
<translation>alterações {day}</translation>
</message>
<message>
<source>changes {first} to {last}</source>
<comment>the name of a file</comment>
<translation>alterações {first} a {last}</translation>
</message>
<message>
<source>chosen by you</source>
<translation>escolha sua</translation>
</message>
<message>
<source>clipboard</source>
<translation>área de transferência</translation>
</message>
<message>
<source>clipboard answer order read out phone call customer</source>
<translation>área de transferência resposta pedido ler em voz alta telefone ligação cliente</translation>
</message>
<message>
<source>clipboard insert excel</source>
<translation>área de transferência inserir excel</translation>
</message>
<message>
<source>clipboard number</source>
<translation>área de transferência número</translation>
</message>
<message>
<source>clipboard titles columns excel</source>
<translation>área de transferência títulos colunas excel</translation>
</message>
<message>
<source>complete</source>
<translation>concluído</translation>
</message>
<message>
<source>conflicts errors failed problems attention review</source>
<translation>conflitos erros falhas problemas atenção revisar</translation>
</message>
<message>
<source>continue go on pause ban limit</source>
<translation>continuar prosseguir pausa suspensão limite</translation>
</message>
<message>
<source>copied {time}</source>
<translation>copiado em {time}</translation>
</message>
<message>
<source>count of {what}</source>
<translation>contagem de {what}</translation>
</message>
<message>
<source>counted at {time}</source>
<translation>contado às {time}</translation>
</message>
<message>
<source>counting</source>
<translation>contando</translation>
</message>
<message>
<source>counting…</source>
<translation>contando…</translation>
</message>
<message>
<source>counts as done; nothing is sent</source>
<translation>conta como feita; nada é enviado</translation>
</message>
<message>
<source>created</source>
<translation>criado</translation>
</message>
<message>
<source>csv excel xlsx spreadsheet table file load read upload open</source>
<translation>csv excel xlsx planilha tabela arquivo carregar ler enviar abrir</translation>
</message>
<message>
<source>csv excel xlsx spreadsheet table file save download</source>
<translation>csv excel xlsx planilha tabela arquivo salvar baixar</translation>
</message>
<message>
<source>d day days|w week weeks</source>
<comment>words after +3; those for days and for weeks</comment>
<translation>d dia dias|s semana semanas</translation>
</message>
<message>
<source>day after tomorrow</source>
<translation>depois de amanhã</translation>
</message>
<message>
<source>day used up for {left}</source>
<translation>limite do dia esgotado por {left}</translation>
</message>
<message numerus="yes">
<source>decision about {n} changes</source>
<translation>
<numerusform>decisão sobre {n} alteração</numerusform>
<numerusform>decisão sobre {n} alterações</numerusform>
</translation>
</message>
<message>
<source>delete</source>
<translation>excluir</translation>
</message>
<message>
<source>delete categories</source>
<translation>excluir categorias</translation>
</message>
<message>
<source>delete pets</source>
<translation>excluir pets</translation>
</message>
<message>
<source>delete remove</source>
<translation>excluir remover apagar</translation>
</message>
<message>
<source>delete {record}</source>
<translation>exclusão de {record}</translation>
</message>
<message>
<source>deleted</source>
<translation>excluído</translation>
</message>
<message>
<source>deletion of the view {name}</source>
<translation>exclusão da exibição {name}</translation>
</message>
<message>
<source>demo shop</source>
<translation>loja demo</translation>
</message>
<message>
<source>deprecated</source>
<translation>obsoleta</translation>
</message>
<message>
<source>deprecated, until {day}</source>
<translation>obsoleta, até {day}</translation>
</message>
<message>
<source>different values</source>
<translation>valores diferentes</translation>
</message>
<message>
<source>discarded</source>
<translation>descartado</translation>
</message>
<message>
<source>done {moment}</source>
<translation>término: {moment}</translation>
</message>
<message>
<source>each pet in {category}</source>
<translation>cada pet em {category}</translation>
</message>
<message numerus="yes">
<source>each pet in {n} categories</source>
<translation>
<numerusform>cada pet em {n} categoria</numerusform>
<numerusform>cada pet em {n} categorias</numerusform>
</translation>
</message>
<message>
<source>elsewhere</source>
<comment>changed by another program</comment>
<translation>outro lugar</translation>
</message>
<message>
<source>empty</source>
<translation>vazio</translation>
</message>
<message>
<source>every answer takes {seconds} s</source>
<translation>cada resposta leva {seconds} s</translation>
</message>
<message>
<source>every {every} s a pause of {lasts} s, first at {first}</source>
<translation>a cada {every} s, uma pausa de {lasts} s, a primeira aos {first}</translation>
</message>
<message>
<source>exclude hide not filter</source>
<translation>excluir esconder exceto não filtrar</translation>
</message>
<message>
<source>exit close end leave</source>
<translation>fechar encerrar sair terminar</translation>
</message>
<message>
<source>expected at least one argument</source>
<translation>é necessário pelo menos um valor</translation>
</message>
<message>
<source>expected one argument</source>
<translation>falta um valor</translation>
</message>
<message>
<source>experimental</source>
<translation>experimental</translation>
</message>
<message>
<source>failed there</source>
<translation>falhou no serviço</translation>
</message>
<message>
<source>file json share load</source>
<translation>arquivo json compartilhar carregar</translation>
</message>
<message>
<source>file json share save</source>
<translation>arquivo json compartilhar salvar</translation>
</message>
<message>
<source>filter bookmark favourite new add</source>
<translation>filtro favorito nova adicionar visão</translation>
</message>
<message>
<source>find search fetch number</source>
<translation>localizar buscar pesquisar procurar número</translation>
</message>
<message>
<source>for example {example}</source>
<translation>por exemplo {example}</translation>
</message>
<message>
<source>forgetting of {code}</source>
<translation>remoção de {code}</translation>
</message>
<message>
<source>found</source>
<translation>encontrado</translation>
</message>
<message>
<source>goes on after {time} ({why})</source>
<translation>segue a partir de {time} ({why})</translation>
</message>
<message>
<source>goes out with the next `petstore-desktop sync`, import or booking, or while the window is open</source>
<translation>sairá com o próximo `petstore-desktop sync`, importação ou movimentação de estoque, ou enquanto a janela estiver aberta</translation>
</message>
<message>
<source>goods delivery supplier scan scanner book in stock arrived</source>
<translation>mercadoria entrega fornecedor escanear leitor entrada estoque chegou nota</translation>
</message>
<message>
<source>help handbook guide how to</source>
<translation>ajuda manual guia como</translation>
</message>
<message>
<source>here</source>
<comment>changed with this program</comment>
<translation>aqui</translation>
</message>
<message>
<source>here and elsewhere</source>
<comment>changed with this program and by another one</comment>
<translation>aqui e outro lugar</translation>
</message>
<message>
<source>hidden</source>
<translation>oculto</translation>
</message>
<message>
<source>hidden until the next scan</source>
<translation>oculto até a próxima leitura</translation>
</message>
<message>
<source>hide show visible fields</source>
<translation>ocultar mostrar visíveis campos</translation>
</message>
<message>
<source>history journal log audit sent undo</source>
<translation>histórico diário log auditoria enviadas desfazer</translation>
</message>
<message>
<source>history past difference differences between yesterday week since what changed</source>
<translation>histórico passado diferença diferenças entre ontem semana desde o que mudou</translation>
</message>
<message>
<source>how the service of {name} speaks is not known yet; `petstore-desktop doctor` or `sync` asks it first</source>
<translation>ainda não se sabe como fala o serviço de {name}; `petstore-desktop doctor` ou `sync` pergunta a ele primeiro</translation>
</message>
<message>
<source>id</source>
<translation>id</translation>
</message>
<message>
<source>import of bar codes</source>
<translation>importação de códigos de barras</translation>
</message>
<message>
<source>import of views</source>
<translation>importação de exibições</translation>
</message>
<message>
<source>in conflict</source>
<translation>em conflito</translation>
</message>
<message>
<source>in conflict with the service</source>
<translation>em conflito com o serviço</translation>
</message>
<message>
<source>in stock</source>
<translation>em estoque</translation>
</message>
<message>
<source>in stock {count}</source>
<translation>em estoque: {count}</translation>
</message>
<message>
<source>in this window</source>
<translation>nesta janela</translation>
</message>
<message numerus="yes">
<source>in {n} days</source>
<translation>
<numerusform>daqui a {n} dia</numerusform>
<numerusform>daqui a {n} dias</numerusform>
</translation>
</message>
<message>
<source>incomplete</source>
<translation>incompleto</translation>
</message>
<message>
<source>incomplete  without a pet, a quantity or a ship date</source>
<translation>incompleto  sem pet, quantidade ou data de envio</translation>
</message>
<message>
<source>interrupted</source>
<translation>interrompido</translation>
</message>
<message>
<source>interrupted; the running program goes on with it</source>
<translation>interrompido; o programa em execução continua</translation>
</message>
<message>
<source>invalid choice: {value} (choose from {names})</source>
<translation>{value} não existe (escolha entre {names})</translation>
</message>
<message>
<source>is discarded; nothing is sent</source>
<translation>foi descartada; nada é enviado</translation>
</message>
<message>
<source>it answers with a list, not with one record</source>
<translation>responde com uma lista, não com um registro</translation>
</message>
<message>
<source>it answers with a list, so it creates nothing</source>
<translation>responde com uma lista, portanto não cria nada</translation>
</message>
<message>
<source>it answers with one record, not with a list</source>
<translation>responde com um registro, não com uma lista</translation>
</message>
<message>
<source>it does not lie at the same path as {what}</source>
<translation>não fica no mesmo caminho que {what}</translation>
</message>
<message>
<source>it does not take a record</source>
<translation>não aceita um registro</translation>
</message>
<message>
<source>it filters or sorts by a column that does not exist here: {what}</source>
<translation>ela filtra ou ordena por uma coluna que não existe aqui: {what}</translation>
</message>
<message>
<source>it has no name</source>
<translation>não tem nome</translation>
</message>
<message>
<source>it is not a view</source>
<translation>não é uma exibição</translation>
</message>
<message>
<source>it is not certain that “{what}” in its path is the record’s own id</source>
<translation>não é certo que “{what}” no caminho seja o id do próprio registro</translation>
</message>
<message>
<source>it is not certain which record the service would change by this id. A profile says what its ids mean</source>
<translation>não é certo qual registro o serviço alteraria com este ID. Um perfil diz o que os IDs significam</translation>
</message>
<message>
<source>it is only at another server, {what}</source>
<translation>só existe em outro servidor, {what}</translation>
</message>
<message>
<source>it requires a value for the header “{what}”</source>
<translation>exige um valor para o cabeçalho “{what}”</translation>
</message>
<message>
<source>it requires a value for “{what}”</source>
<translation>exige um valor para “{what}”</translation>
</message>
<message>
<source>it takes none of the fields that the program knows</source>
<translation>não aceita nenhum dos campos que o programa conhece</translation>
</message>
<message>
<source>it takes {what}, and the program sends JSON</source>
<translation>aceita {what}, e o programa envia JSON</translation>
</message>
<message>
<source>it was cancelled before the answer came.</source>
<translation>foi cancelado antes de chegar a resposta.</translation>
</message>
<message>
<source>it was done, and need not be done again; only this answer could not be written to standard output ({why})</source>
<translation>está feito e não precisa ser repetido; só esta resposta não pôde ser escrita na saída padrão ({why})</translation>
</message>
<message>
<source>it was not sent from here</source>
<translation>não foi enviado daqui</translation>
</message>
<message>
<source>it was refused or never sent: it cannot count as done</source>
<translation>foi recusada ou nunca enviada: não pode contar como feita</translation>
</message>
<message>
<source>it would erase the values of {fields}: the service does not show them, or takes them nowhere</source>
<translation>ela apagaria os valores de {fields}: o serviço não os mostra, ou não os aceita em lugar nenhum</translation>
</message>
<message>
<source>its answer does not look like {things}</source>
<translation>a resposta não parece conter {things}</translation>
</message>
<message>
<source>its answer looks like {things}</source>
<translation>a resposta parece conter {things}</translation>
</message>
<message>
<source>its fields look like {things}, its path does not</source>
<translation>os campos parecem ser de {things}, mas o caminho não</translation>
</message>
<message>
<source>its filter or sort cannot be read</source>
<translation>não é possível ler o filtro ou a ordem dela</translation>
</message>
<message>
<source>its list does not exist here: {what}</source>
<translation>a lista dela não existe aqui: {what}</translation>
</message>
<message>
<source>its name is too long</source>
<translation>o nome é longo demais</translation>
</message>
<message>
<source>key banned</source>
<translation>chave suspensa</translation>
</message>
<message>
<source>key banned for {left}</source>
<translation>chave suspensa por {left}</translation>
</message>
<message>
<source>key not accepted</source>
<translation>chave não aceita</translation>
</message>
<message>
<source>koi red  both words      koi|red  one of them</source>
<translation>koi vermelho  as duas palavras      koi|vermelho  uma delas</translation>
</message>
<message>
<source>late</source>
<translation>atrasado</translation>
</message>
<message>
<source>leaves {left} of {limit} today</source>
<translation>sobram {left} de {limit} hoje</translation>
</message>
<message>
<source>leaves ≈ {left} of {limit} today</source>
<translation>sobram ≈ {left} de {limit} hoje</translation>
</message>
<message>
<source>left out</source>
<translation>de fora</translation>
</message>
<message>
<source>limit unknown</source>
<translation>limite desconhecido</translation>
</message>
<message>
<source>line of {what} in the delivery</source>
<translation>linha de {what} no recebimento</translation>
</message>
<message>
<source>list</source>
<comment>a file of no better name</comment>
<translation>lista</translation>
</message>
<message>
<source>live, {time}</source>
<translation>ao vivo, {time}</translation>
</message>
<message>
<source>log network http calls api</source>
<translation>log rede http chamadas api</translation>
</message>
<message>
<source>logs errors debug file</source>
<translation>logs erros depuração arquivo</translation>
</message>
<message>
<source>look up a category</source>
<translation>consultar uma categoria</translation>
</message>
<message>
<source>look up a pet</source>
<translation>consultar um pet</translation>
</message>
<message>
<source>look up a stock entry</source>
<translation>consultar um registro de estoque</translation>
</message>
<message>
<source>look up an order</source>
<translation>consultar um pedido</translation>
</message>
<message>
<source>low</source>
<translation>baixo</translation>
</message>
<message>
<source>low  at or below the minimum</source>
<translation>baixo  igual ou inferior ao mínimo</translation>
</message>
<message>
<source>low threshold limit reorder warning</source>
<translation>baixo limite reposição comprar aviso alerta</translation>
</message>
<message>
<source>minute used up for {left}</source>
<translation>limite do minuto esgotado por {left}</translation>
</message>
<message>
<source>more-than-stock  the open orders of its pet are for more than is in stock</source>
<translation>acima-do-estoque  os pedidos abertos do pet somam mais do que há em estoque</translation>
</message>
<message>
<source>name and category, as there is no column with ids</source>
<translation>nome e categoria, pois não há coluna com ids</translation>
</message>
<message>
<source>name, as there is no column with ids</source>
<translation>nome, pois não há coluna com ids</translation>
</message>
<message>
<source>needs a key</source>
<translation>precisa de chave</translation>
</message>
<message>
<source>neither its records nor the rest of the document are about pets</source>
<translation>nem os registros nem o resto do documento tratam de pets</translation>
</message>
<message>
<source>never read</source>
<translation>nunca lido</translation>
</message>
<message>
<source>new</source>
<translation>novo</translation>
</message>
<message>
<source>new</source>
<comment>a record created here</comment>
<translation>novo</translation>
</message>
<message>
<source>new</source>
<comment>in place of an id that the service has not given yet</comment>
<translation>novo</translation>
</message>
<message>
<source>new categories</source>
<translation>adicionar categorias</translation>
</message>
<message>
<source>new count</source>
<translation>nova contagem</translation>
</message>
<message>
<source>new orders</source>
<translation>adicionar pedidos</translation>
</message>
<message>
<source>new pets</source>
<translation>adicionar pets</translation>
</message>
<message>
<source>new {record}</source>
<translation>criação de {record}</translation>
</message>
<message>
<source>next refresh at {time}</source>
<translation>próxima atualização: {time}</translation>
</message>
<message>
<source>next refresh at {time} ({why})</source>
<translation>próxima atualização: {time} ({why})</translation>
</message>
<message>
<source>no</source>
<translation>não</translation>
</message>
<message>
<source>no answer: {why}</source>
<translation>sem resposta: {why}</translation>
</message>
<message>
<source>no column of the file can be told to be a field of {wanted}; nothing was saved. Name the columns in its first row, as `export` does</source>
<translation>nenhuma coluna do arquivo pode ser reconhecida como campo de {wanted}; nada foi salvo. Dê nome às colunas na primeira linha, como faz `export`</translation>
</message>
<message>
<source>no key came on stdin; nothing was changed</source>
<translation>nenhuma chave chegou pela stdin; nada foi alterado</translation>
</message>
<message>
<source>no key was typed; nothing was changed</source>
<translation>nenhuma chave foi digitada; nada foi alterado</translation>
</message>
<message>
<source>no network from {goes} to {back}</source>
<translation>sem rede de {goes} até {back}</translation>
</message>
<message>
<source>no operation does it now; choose one in “Operations of this service”</source>
<translation>nenhuma operação faz isso agora; escolha uma em “Operações deste serviço”</translation>
</message>
<message>
<source>no pet</source>
<translation>sem pet</translation>
</message>
<message>
<source>no reason given</source>
<translation>sem motivo informado</translation>
</message>
<message>
<source>no record shows how this service names the category or the pet: by id, by name or otherwise</source>
<translation>nenhum registro mostra como este serviço identifica a categoria ou o pet: pelo id, pelo nome ou de outra forma</translation>
</message>
<message>
<source>no request</source>
<translation>nenhuma requisição</translation>
</message>
<message>
<source>no requests are left</source>
<translation>não restam requisições</translation>
</message>
<message>
<source>no stock entry</source>
<translation>sem registro de estoque</translation>
</message>
<message>
<source>no such category</source>
<translation>categoria inexistente</translation>
</message>
<message>
<source>no such pet</source>
<translation>pet inexistente</translation>
</message>
<message>
<source>no-such-pet  its pet does not exist</source>
<translation>pet-inexistente  o pet do pedido não existe</translation>
</message>
<message>
<source>none</source>
<translation>nenhum</translation>
</message>
<message>
<source>none</source>
<comment>no ship date</comment>
<translation>nenhuma</translation>
</message>
<message>
<source>none left, next try in {left}</source>
<translation>esgotadas, nova tentativa em {left}</translation>
</message>
<message>
<source>none today</source>
<translation>nenhuma hoje</translation>
</message>
<message>
<source>not allowed</source>
<translation>não permitido</translation>
</message>
<message>
<source>not allowed with argument {name}</source>
<translation>incompatível com {name}</translation>
</message>
<message>
<source>not available</source>
<translation>indisponível</translation>
</message>
<message>
<source>not booked</source>
<translation>não lançado</translation>
</message>
<message>
<source>not booked yet</source>
<translation>ainda não lançado</translation>
</message>
<message>
<source>not checked yet</source>
<translation>ainda não verificado</translation>
</message>
<message>
<source>not found</source>
<translation>não encontrado</translation>
</message>
<message>
<source>not known</source>
<translation>desconhecido</translation>
</message>
<message>
<source>not now</source>
<translation>agora não</translation>
</message>
<message>
<source>not offered</source>
<translation>não oferecida</translation>
</message>
<message>
<source>not reached</source>
<translation>não acessado</translation>
</message>
<message>
<source>not read to its end</source>
<translation>não lida até o fim</translation>
</message>
<message>
<source>not readable</source>
<translation>ilegível</translation>
</message>
<message>
<source>not said</source>
<translation>não informado</translation>
</message>
<message>
<source>not saved</source>
<translation>não salvo</translation>
</message>
<message>
<source>not secure</source>
<translation>não seguro</translation>
</message>
<message>
<source>not sent: this connection is read-only</source>
<translation>não enviadas: esta conexão é somente leitura</translation>
</message>
<message>
<source>not there</source>
<translation>não existe</translation>
</message>
<message>
<source>not yet</source>
<translation>ainda não</translation>
</message>
<message>
<source>note</source>
<translation>aviso</translation>
</message>
<message>
<source>nothing</source>
<translation>nada</translation>
</message>
<message>
<source>nothing else in the document is about pets, their orders or their stock</source>
<translation>nada mais no documento trata de pets, de seus pedidos ou de seu estoque</translation>
</message>
<message>
<source>nothing here reaches your shop. {said}</source>
<translation>nada daqui chega à sua loja. {said}</translation>
</message>
<message>
<source>nothing is kept here of the {resource} of {name} yet; `petstore-desktop sync {typed}` reads them</source>
<translation>ainda não há nada aqui de {resource} de {name}; use `petstore-desktop sync {typed}` para ler a lista</translation>
</message>
<message>
<source>nothing is known to be stored</source>
<translation>que se saiba, nada foi armazenado</translation>
</message>
<message>
<source>nothing needs a decision</source>
<translation>nada requer uma decisão</translation>
</message>
<message>
<source>nothing read yet</source>
<translation>nada lido ainda</translation>
</message>
<message>
<source>nothing to send</source>
<translation>nada para enviar</translation>
</message>
<message>
<source>nothing was changed</source>
<translation>nada foi alterado</translation>
</message>
<message>
<source>nothing was changed in {file}</source>
<translation>nada foi alterado em {file}</translation>
</message>
<message>
<source>nothing was saved</source>
<translation>nada foi salvo</translation>
</message>
<message>
<source>nothing was sent</source>
<translation>nada foi enviado</translation>
</message>
<message>
<source>nothing was sent, not even the key</source>
<translation>nada foi enviado, nem mesmo a chave</translation>
</message>
<message>
<source>now</source>
<comment>this moment</comment>
<translation>agora</translation>
</message>
<message>
<source>o: orders   p: pets   c: categories   s: stock</source>
<translation>o: pedidos   p: pets   c: categorias   s: estoque</translation>
</message>
<message>
<source>of an unexpected error in the program ({name})</source>
<translation>erro inesperado no programa ({name})</translation>
</message>
<message numerus="yes">
<source>of {n} changes</source>
<translation>
<numerusform>de {n} alteração</numerusform>
<numerusform>de {n} alterações</numerusform>
</translation>
</message>
<message>
<source>offered</source>
<translation>oferecida</translation>
</message>
<message>
<source>offered, not by your choice</source>
<translation>oferecida, não por sua escolha</translation>
</message>
<message>
<source>offline since {time}</source>
<translation>offline desde {time}</translation>
</message>
<message>
<source>oldest {days}</source>
<translation>o mais antigo: {days}</translation>
</message>
<message>
<source>on a later day</source>
<translation>em um dia posterior</translation>
</message>
<message>
<source>on an earlier day</source>
<translation>em um dia anterior</translation>
</message>
<message>
<source>one of the arguments {names} is required</source>
<translation>é necessário um destes argumentos: {names}</translation>
</message>
<message>
<source>one without a title</source>
<translation>um sem título</translation>
</message>
<message>
<source>only a part of the {resource} of {name} is kept here ({count}); nothing was saved. `petstore-desktop sync {typed}` reads the rest</source>
<translation>só há aqui uma parte de {resource} de {name} ({count}); nada foi salvo. Use `petstore-desktop sync {typed}` para ler o resto</translation>
</message>
<message>
<source>only on this computer</source>
<translation>só neste computador</translation>
</message>
<message>
<source>open</source>
<translation>aberto</translation>
</message>
<message numerus="yes">
<source>open orders for more than is in stock</source>
<translation>
<numerusform>pedido aberto acima do estoque</numerusform>
<numerusform>pedidos abertos acima do estoque</numerusform>
</translation>
</message>
<message>
<source>or</source>
<translation>ou</translation>
</message>
<message>
<source>or {other}</source>
<translation>ou {other}</translation>
</message>
<message>
<source>order</source>
<translation>pedido</translation>
</message>
<message>
<source>order {id}</source>
<translation>pedido {id}</translation>
</message>
<message>
<source>orders</source>
<translation>pedidos</translation>
</message>
<message numerus="yes">
<source>orders are for pets that do not exist</source>
<translation>
<numerusform>pedido é de um pet que não existe</numerusform>
<numerusform>pedidos são de pets que não existem</numerusform>
</translation>
</message>
<message numerus="yes">
<source>orders without a pet, quantity or date</source>
<translation>
<numerusform>pedido sem pet, quantidade ou data</numerusform>
<numerusform>pedidos sem pet, quantidade ou data</numerusform>
</translation>
</message>
<message>
<source>other answers at its path do not look like {things}</source>
<translation>outras respostas no mesmo caminho não parecem conter {things}</translation>
</message>
<message>
<source>other answers at its path look like {things}</source>
<translation>outras respostas no mesmo caminho parecem conter {things}</translation>
</message>
<message>
<source>outbox queue unsent pending not sent</source>
<translation>saída fila não enviado pendente aguardando</translation>
</message>
<message>
<source>overdue  the ship date is past, and the order is open</source>
<translation>atrasado  a data de envio já passou e o pedido está aberto</translation>
</message>
<message>
<source>page {page} of {pages}</source>
<translation>página {page} de {pages}</translation>
</message>
<message>
<source>pasted lines in the delivery</source>
<translation>linhas coladas no recebimento</translation>
</message>
<message>
<source>paused</source>
<translation>pausada</translation>
</message>
<message>
<source>paused {left}</source>
<translation>em pausa por {left}</translation>
</message>
<message>
<source>pdf paper printer page</source>
<translation>pdf papel impressora página</translation>
</message>
<message>
<source>pending</source>
<translation>reservado</translation>
</message>
<message>
<source>pending|sold  one of them      !sold  not this one</source>
<translation>reservado|vendido  um deles      !vendido  menos este</translation>
</message>
<message>
<source>person</source>
<translation>usuário</translation>
</message>
<message>
<source>pet {id}</source>
<translation>pet {id}</translation>
</message>
<message>
<source>pets</source>
<translation>pets</translation>
</message>
<message numerus="yes">
<source>pets with the name of another one of their category</source>
<translation>
<numerusform>pet com o nome de outro da mesma categoria</numerusform>
<numerusform>pets com o nome de outro da mesma categoria</numerusform>
</translation>
</message>
<message numerus="yes">
<source>pets without a category</source>
<translation>
<numerusform>pet sem categoria</numerusform>
<numerusform>pets sem categoria</numerusform>
</translation>
</message>
<message>
<source>pin lock fix frozen panes left</source>
<translation>fixar travar painéis congelados esquerda</translation>
</message>
<message>
<source>plain http to {host} would show the key to others; use https (http is only for this computer)</source>
<translation>http sem criptografia para {host} mostraria a chave a outros; use https (http é só para este computador)</translation>
</message>
<message>
<source>plan not known</source>
<translation>plano desconhecido</translation>
</message>
<message>
<source>plan {plan}</source>
<translation>plano {plan}</translation>
</message>
<message>
<source>problem</source>
<translation>problema</translation>
</message>
<message>
<source>profile</source>
<comment>the name of a file</comment>
<translation>perfil</translation>
</message>
<message>
<source>quota limit limits rate calls budget minute day</source>
<translation>cota limite limites taxa chamadas saldo minuto dia</translation>
</message>
<message>
<source>read from pets</source>
<translation>lida dos pets</translation>
</message>
<message>
<source>read-only</source>
<translation>somente leitura</translation>
</message>
<message>
<source>reading was stopped</source>
<translation>a leitura foi interrompida</translation>
</message>
<message>
<source>record {id} was made with other values than were sent: {values}.</source>
<translation>o registro {id} foi criado com valores diferentes dos enviados: {values}.</translation>
</message>
<message>
<source>records of this kind have no field “{field}”. Discard it, and enter it again</source>
<translation>registros deste tipo não têm o campo “{field}”. Descarte a alteração e digite de novo</translation>
</message>
<message>
<source>records that were deleted here are shown again: {met}. The service kept them, or somebody made them again.</source>
<translation>registros excluídos aqui aparecem de novo: {met}. O serviço os manteve ou alguém os criou de novo.</translation>
</message>
<message>
<source>refresh on screen</source>
<translation>atualização na tela</translation>
</message>
<message>
<source>refused</source>
<translation>recusado</translation>
</message>
<message>
<source>refused by the service</source>
<translation>recusado pelo serviço</translation>
</message>
<message>
<source>rehearsed</source>
<translation>simulado</translation>
</message>
<message>
<source>reload update sync synchronise fetch load</source>
<translation>recarregar atualizar sincronizar buscar carregar</translation>
</message>
<message>
<source>remove</source>
<translation>remover apagar deletar</translation>
</message>
<message>
<source>remove reset show all</source>
<translation>remover redefinir mostrar tudo</translation>
</message>
<message>
<source>removed</source>
<translation>removida</translation>
</message>
<message>
<source>renamed to {name}</source>
<translation>renomeado para {name}</translation>
</message>
<message>
<source>renaming of the view {name}</source>
<translation>renomeação da exibição {name}</translation>
</message>
<message>
<source>repeat same value below</source>
<translation>repetir mesmo valor abaixo</translation>
</message>
<message>
<source>repeat same value selection bulk</source>
<translation>repetir mesmo valor seleção em massa</translation>
</message>
<message>
<source>restore reset default</source>
<translation>restaurar redefinir padrão</translation>
</message>
<message>
<source>row {row}: {why}</source>
<translation>linha {row}: {why}</translation>
</message>
<message>
<source>same</source>
<translation>igual</translation>
</message>
<message>
<source>same-name  another pet of its category has the same name</source>
<translation>mesmo-nome  outro pet da mesma categoria tem o mesmo nome</translation>
</message>
<message>
<source>saved filter list</source>
<translation>filtro salvo lista</translation>
</message>
<message>
<source>saved on this computer, not sent</source>
<translation>salvo neste computador, não enviado</translation>
</message>
<message>
<source>search find</source>
<translation>pesquisar buscar procurar localizar</translation>
</message>
<message>
<source>see `petstore-desktop decide {name}`, or the window, Activity &gt; Needs attention</source>
<translation>veja `petstore-desktop decide {name}` ou, na janela, Atividade &gt; Requer atenção</translation>
</message>
<message>
<source>see all categories</source>
<translation>ver todas as categorias</translation>
</message>
<message>
<source>see all orders</source>
<translation>ver todos os pedidos</translation>
</message>
<message>
<source>see all pets</source>
<translation>ver todos os pets</translation>
</message>
<message>
<source>see the stock</source>
<translation>ver o estoque</translation>
</message>
<message>
<source>select whole columns</source>
<translation>selecionar colunas inteiras</translation>
</message>
<message>
<source>select whole rows</source>
<translation>selecionar linhas inteiras</translation>
</message>
<message>
<source>sent</source>
<translation>enviado</translation>
</message>
<message>
<source>sent elsewhere</source>
<translation>redirecionado</translation>
</message>
<message>
<source>sent, but no answer came</source>
<translation>enviado, mas não veio resposta</translation>
</message>
<message>
<source>sent, then undone</source>
<translation>enviado, depois desfeito</translation>
</message>
<message>
<source>server address url api key log in login add account</source>
<translation>servidor endereço url api chave login entrar adicionar conta</translation>
</message>
<message>
<source>server address url api key password token certificate tls openapi colour name read-only forget options setup</source>
<translation>servidor endereço url api chave senha token certificado tls openapi cor nome somente leitura esquecer opções configurar ajustes</translation>
</message>
<message>
<source>service busy for {left}</source>
<translation>serviço ocupado por {left}</translation>
</message>
<message>
<source>set aside hold pending order phone call customer</source>
<translation>reservar separar guardar pendente encomenda pedido telefone ligação cliente</translation>
</message>
<message>
<source>settings options setup configuration theme dark light mode night colours appearance language text font size data folder database files backup</source>
<translation>configurações opções ajustes configurar tema escuro claro modo noturno cores aparência idioma língua texto fonte tamanho pasta de dados banco arquivos backup cópia</translation>
</message>
<message>
<source>shortcuts keyboard manual documentation legend icons</source>
<translation>atalhos teclado manual documentação legenda ícones</translation>
</message>
<message>
<source>side pane panel sidebar</source>
<translation>painel lateral barra lateral</translation>
</message>
<message>
<source>sold</source>
<translation>vendido</translation>
</message>
<message numerus="yes">
<source>sold pets still have stock</source>
<translation>
<numerusform>pet vendido ainda tem estoque</numerusform>
<numerusform>pets vendidos ainda têm estoque</numerusform>
</translation>
</message>
<message>
<source>sold-with-stock  the pet is sold, and has stock</source>
<translation>vendido-com-estoque  o pet foi vendido e tem estoque</translation>
</message>
<message>
<source>somebody else changes a record every {seconds} s</source>
<translation>outra pessoa altera um registro a cada {seconds} s</translation>
</message>
<message>
<source>starts at label {place}</source>
<translation>começa na etiqueta {place}</translation>
</message>
<message>
<source>status</source>
<translation>status</translation>
</message>
<message>
<source>status fulfil deliver done</source>
<translation>status atender entregar pronto finalizar</translation>
</message>
<message>
<source>status {status}</source>
<translation>status {status}</translation>
</message>
<message>
<source>stock</source>
<translation>estoque</translation>
</message>
<message numerus="yes">
<source>stock entries below zero</source>
<translation>
<numerusform>registro de estoque abaixo de zero</numerusform>
<numerusform>registros de estoque abaixo de zero</numerusform>
</translation>
</message>
<message numerus="yes">
<source>stock entries without a pet</source>
<translation>
<numerusform>registro de estoque sem pet</numerusform>
<numerusform>registros de estoque sem pet</numerusform>
</translation>
</message>
<message>
<source>stock of pet {id}</source>
<translation>estoque do pet {id}</translation>
</message>
<message numerus="yes">
<source>stock of {n} pets changed</source>
<translation>
<numerusform>estoque de {n} pet alterado</numerusform>
<numerusform>estoque de {n} pets alterado</numerusform>
</translation>
</message>
<message numerus="yes">
<source>stock of {n} pets changed by {pieces}</source>
<translation>
<numerusform>estoque de {n} pet alterado em {pieces}</numerusform>
<numerusform>estoque de {n} pets alterado em {pieces}</numerusform>
</translation>
</message>
<message>
<source>stock set to {n}</source>
<translation>estoque definido em {n}</translation>
</message>
<message>
<source>stock-without-pet  its pet does not exist</source>
<translation>estoque-sem-pet  o pet do registro não existe</translation>
</message>
<message>
<source>stopped</source>
<translation>envio parado</translation>
</message>
<message>
<source>stopped by the proxy</source>
<translation>barrado pelo proxy</translation>
</message>
<message>
<source>support bug report version system</source>
<translation>suporte erro relatório versão sistema</translation>
</message>
<message>
<source>take back revert</source>
<translation>voltar atrás reverter cancelar</translation>
</message>
<message>
<source>test after a pause</source>
<translation>teste após uma pausa</translation>
</message>
<message>
<source>test doctor diagnose network internet proxy server offline trouble</source>
<translation>testar teste diagnóstico diagnosticar rede internet proxy servidor offline problema</translation>
</message>
<message>
<source>testing once</source>
<translation>fazendo um teste</translation>
</message>
<message>
<source>that is set on this computer</source>
<translation>que está configurado neste computador</translation>
</message>
<message>
<source>the CA file {path} cannot be read ({why}); nothing was changed</source>
<translation>o arquivo de CA {path} não pode ser lido ({why}); nada foi alterado</translation>
</message>
<message>
<source>the CA file {path} is larger than {megabytes} MB; nothing was changed. Give only the certificates of the authority that the service needs</source>
<translation>o arquivo de CA {path} é maior que {megabytes} MB; nada foi alterado. Informe só os certificados da autoridade de que o serviço precisa</translation>
</message>
<message>
<source>the OpenAPI document cannot be used ({code}, {why})</source>
<translation>o documento OpenAPI não pode ser usado ({code}, {why})</translation>
</message>
<message>
<source>the address holds a user name or password; give the key with --key-stdin instead</source>
<translation>o endereço contém um nome de usuário ou uma senha; informe a chave com --key-stdin</translation>
</message>
<message>
<source>the answer holds no list of records.</source>
<translation>a resposta não contém nenhuma lista de registros.</translation>
</message>
<message>
<source>the answer holds two lists, and does not say which one is meant.</source>
<translation>a resposta contém duas listas e não diz qual delas vale.</translation>
</message>
<message>
<source>the answer is larger than {mb} MB; reading was stopped there.</source>
<translation>a resposta é maior que {mb} MB; a leitura parou ali.</translation>
</message>
<message>
<source>the answer is nested deeper than anything that can be read.</source>
<translation>a resposta tem mais níveis do que é possível ler.</translation>
</message>
<message>
<source>the answer is not JSON, as data must be ({type}).</source>
<translation>a resposta não é JSON, como os dados devem ser ({type}).</translation>
</message>
<message>
<source>the answer is not in UTF-8, the only encoding of JSON.</source>
<translation>a resposta não está em UTF-8, a única codificação de JSON.</translation>
</message>
<message>
<source>the answer is not one of this service.</source>
<translation>a resposta não é deste serviço.</translation>
</message>
<message>
<source>the answer is not valid HTTP: it broke off, or its head is too large.</source>
<translation>a resposta não é HTTP válido: ela foi interrompida ou o cabeçalho é grande demais.</translation>
</message>
<message>
<source>the answer is packed in a way that cannot be unpacked ({encoding}).</source>
<translation>a resposta está compactada de um modo que não pode ser descompactado ({encoding}).</translation>
</message>
<message>
<source>the answer stops before its end.</source>
<translation>a resposta para antes do fim.</translation>
</message>
<message>
<source>the answer was not complete in the time that a request has.</source>
<translation>a resposta não ficou completa no tempo que uma requisição tem.</translation>
</message>
<message>
<source>the categories</source>
<translation>as categorias</translation>
</message>
<message>
<source>the changes could not be saved; nothing was sent</source>
<translation>as alterações não puderam ser salvas; nada foi enviado</translation>
</message>
<message>
<source>the characters of the file can be read in several ways; nothing was saved. Say how with --encoding, such as --encoding windows-1252, or save the file in UTF-8</source>
<translation>os caracteres do arquivo podem ser lidos de várias formas; nada foi salvo. Indique a codificação com --encoding, por exemplo --encoding windows-1252, ou salve o arquivo em UTF-8</translation>
</message>
<message>
<source>the connection broke before the answer came.</source>
<translation>a conexão caiu antes de chegar a resposta.</translation>
</message>
<message>
<source>the dates can be read in two ways, 03/04 is 3 April or 4 March; nothing was saved. Say how with --dates dmy, mdy or ymd</source>
<translation>as datas podem ser lidas de duas formas, 03/04 é 3 de abril ou 4 de março; nada foi salvo. Informe com --dates dmy, mdy ou ymd</translation>
</message>
<message>
<source>the day is used up</source>
<translation>o limite do dia está esgotado</translation>
</message>
<message>
<source>the demo shop did not start: {why}</source>
<translation>a loja demo não iniciou: {why}</translation>
</message>
<message>
<source>the demo shop is in its window alone, and no connection; `petstore-desktop demo-shop` runs one for commands, and says the address and the key for `petstore-desktop connect`</source>
<translation>a loja demo está só na sua janela e não é uma conexão; `petstore-desktop demo-shop` inicia uma para os comandos e informa o endereço e a chave para `petstore-desktop connect`</translation>
</message>
<message>
<source>the document {path} cannot be read</source>
<translation>o documento {path} não pode ser lido</translation>
</message>
<message>
<source>the file has wrong rows ({count}), and one that books in or out, or places orders, is imported whole or not at all; nothing was saved</source>
<translation>há linhas com erro ({count}), e um arquivo de entradas e saídas ou de pedidos novos é importado inteiro ou não é importado; nada foi salvo</translation>
</message>
<message>
<source>the file holds {found}, not {wanted}; nothing was saved</source>
<translation>o arquivo contém {found}, não {wanted}; nada foi salvo</translation>
</message>
<message>
<source>the file of your changes is damaged: {path}; nothing was changed. `petstore-desktop sync`, or the window, sets it aside and lists what it still tells</source>
<translation>o arquivo das suas alterações está danificado: {path}; nada foi alterado. `petstore-desktop sync` ou a janela o coloca de lado e lista o que ainda se pode ler nele</translation>
</message>
<message>
<source>the file of your changes was damaged and is kept as {file}; what was not sent yet ({count}) is listed in {list}, and is not sent by itself: make it again where it is missing</source>
<translation>o arquivo das suas alterações estava danificado e foi guardado como {file}; o que ainda não havia sido enviado ({count}) está listado em {list} e não é enviado sozinho: refaça onde faltar</translation>
</message>
<message>
<source>the file {file} cannot be read; nothing was saved</source>
<translation>não é possível ler o arquivo {file}; nada foi salvo</translation>
</message>
<message>
<source>the following arguments are required: {names}</source>
<translation>faltam estes argumentos: {names}</translation>
</message>
<message>
<source>the key contains characters that cannot be sent; nothing was changed</source>
<translation>a chave contém caracteres que não podem ser enviados; nada foi alterado</translation>
</message>
<message>
<source>the key is banned</source>
<translation>a chave está suspensa</translation>
</message>
<message>
<source>the key is longer than 16,384 characters, which no service takes; nothing was changed</source>
<translation>a chave tem mais de 16.384 caracteres, o que nenhum serviço aceita; nada foi alterado</translation>
</message>
<message>
<source>the key may not do this ({message})</source>
<translation>a chave não tem permissão para isso ({message})</translation>
</message>
<message>
<source>the lines that are here</source>
<translation>as linhas que estão aqui</translation>
</message>
<message>
<source>the list does not end: the service announced {total} records, and sent {met}. Reading stopped; the rows that came stay.</source>
<translation>a lista não termina: o serviço anunciou {total} registros e enviou {met}. A leitura parou; as linhas que vieram ficam.</translation>
</message>
<message>
<source>the list does not end: {met} records came. Reading stopped; these rows stay.</source>
<translation>a lista não termina: vieram {met} registros. A leitura parou; estas linhas ficam.</translation>
</message>
<message>
<source>the list may be {what} as well. Choose the list first: File &gt; Operations, or `connect --profile`</source>
<translation>a lista também pode ser {what}. Escolha primeiro a lista: Arquivo &gt; Operações, ou `connect --profile`</translation>
</message>
<message>
<source>the minute is used up</source>
<translation>o limite do minuto está esgotado</translation>
</message>
<message>
<source>the name of one of its fields is a guess. Choose the name under File &gt; Operations &gt; Fields</source>
<translation>o nome de um dos campos foi deduzido. Escolha o nome em Arquivo &gt; Operações &gt; Campos</translation>
</message>
<message>
<source>the next refresh waits</source>
<translation>a próxima atualização aguarda</translation>
</message>
<message>
<source>the next refresh waits ({why})</source>
<translation>a próxima atualização aguarda ({why})</translation>
</message>
<message>
<source>the numbers can be read in two ways, 1.200 is twelve hundred or 1 and a fraction; nothing was saved. Say how with --numbers point or comma</source>
<translation>os números podem ser lidos de duas formas, 1.200 é mil e duzentos ou 1 e uma fração; nada foi salvo. Informe com --numbers point ou comma</translation>
</message>
<message>
<source>the old value is not known</source>
<translation>o valor antigo é desconhecido</translation>
</message>
<message>
<source>the orders</source>
<translation>os pedidos</translation>
</message>
<message>
<source>the pets</source>
<translation>os pets</translation>
</message>
<message>
<source>the pet’s id</source>
<translation>id do pet</translation>
</message>
<message>
<source>the pet’s name, as there is no column with ids</source>
<translation>nome do pet, pois não há coluna com ids</translation>
</message>
<message>
<source>the plan {plan} has its own limits; --per-minute and --per-day go with --plan enterprise, or with a connection whose plan is not known</source>
<translation>o plano {plan} tem limites próprios; --per-minute e --per-day só valem com --plan enterprise ou com uma conexão cujo plano não é conhecido</translation>
</message>
<message>
<source>the program is already running on {path}; use its window, or close it first</source>
<translation>o programa já está em execução com {path}; use a janela dele ou feche-o antes</translation>
</message>
<message>
<source>the program that runs on this data folder has not opened {name}; open it there (Shop &gt; Switch to another shop), or close the program. Nothing was saved</source>
<translation>o programa que usa esta pasta de dados não abriu {name}; abra-a lá (Loja &gt; Trocar de loja) ou feche o programa. Nada foi salvo</translation>
</message>
<message>
<source>the program that runs on this data folder is of another version; close it first. Nothing was saved</source>
<translation>o programa que usa esta pasta de dados é de outra versão; feche-o antes. Nada foi salvo</translation>
</message>
<message>
<source>the quantity would be larger than a service can hold</source>
<translation>a quantidade seria maior do que um serviço pode guardar</translation>
</message>
<message>
<source>the record in the answer cannot be read: {why}.</source>
<translation>não é possível ler o registro na resposta: {why}.</translation>
</message>
<message>
<source>the record in the service’s answer cannot be read: {why}</source>
<translation>o registro na resposta do serviço não pode ser lido: {why}</translation>
</message>
<message>
<source>the record is different</source>
<translation>o registro está diferente</translation>
</message>
<message>
<source>the record is gone from the service</source>
<translation>o registro não existe mais no serviço</translation>
</message>
<message>
<source>the record is gone, or the service has removed this</source>
<translation>o registro não existe mais ou o serviço removeu isto</translation>
</message>
<message>
<source>the record that it belongs to was never created</source>
<translation>o registro a que pertence nunca foi criado</translation>
</message>
<message>
<source>the request</source>
<translation>a requisição</translation>
</message>
<message>
<source>the rest of today’s requests is kept for your changes</source>
<translation>o resto das requisições de hoje fica guardado para suas alterações</translation>
</message>
<message>
<source>the service</source>
<translation>o serviço</translation>
</message>
<message>
<source>the service answered with an error instead of data.</source>
<translation>o serviço respondeu com um erro em vez de dados.</translation>
</message>
<message>
<source>the service answered with an error, and nothing was changed</source>
<translation>o serviço respondeu com um erro, e nada foi alterado</translation>
</message>
<message>
<source>the service answered with record {id}, which may have been changed instead. Look at both records</source>
<translation>o serviço respondeu com o registro {id}, que pode ter sido alterado no lugar deste. Confira os dois registros</translation>
</message>
<message>
<source>the service answered with the old value</source>
<translation>o serviço respondeu com o valor antigo</translation>
</message>
<message>
<source>the service answered {status}: {message}</source>
<translation>o serviço respondeu {status}: {message}</translation>
</message>
<message>
<source>the service asked to wait</source>
<translation>o serviço pediu para esperar</translation>
</message>
<message>
<source>the service asks to wait ({message}); nothing more is sent until then</source>
<translation>o serviço pede para esperar ({message}); até lá nada mais é enviado</translation>
</message>
<message>
<source>the service cannot be reached</source>
<translation>não é possível acessar o serviço</translation>
</message>
<message>
<source>the service changed something else as well: {theirs}</source>
<translation>o serviço também alterou outra coisa: {theirs}</translation>
</message>
<message>
<source>the service did not say that it was done, and nothing was changed</source>
<translation>o serviço não disse que foi feito, e nada foi alterado</translation>
</message>
<message>
<source>the service did only a part of it. Still as before: {theirs}</source>
<translation>o serviço fez apenas uma parte. Continua como antes: {theirs}</translation>
</message>
<message>
<source>the service did something else than was sent with an earlier change of this kind. Decide about that one, or send this again</source>
<translation>em uma alteração anterior deste tipo, o serviço fez algo diferente do que foi enviado. Decida sobre aquela ou reenvie esta</translation>
</message>
<message>
<source>the service does not accept the key</source>
<translation>o serviço não aceita a chave</translation>
</message>
<message>
<source>the service does not show this record, so it cannot be changed safely</source>
<translation>o serviço não mostra este registro, por isso não é seguro alterá-lo</translation>
</message>
<message>
<source>the service emptied what was not to be changed: {theirs}</source>
<translation>o serviço esvaziou o que não era para ser alterado: {theirs}</translation>
</message>
<message>
<source>the service has no such record</source>
<translation>o serviço não tem este registro</translation>
</message>
<message>
<source>the service has removed this</source>
<translation>o serviço removeu isto</translation>
</message>
<message>
<source>the service has something else than was sent: {theirs}</source>
<translation>o serviço tem algo diferente do que foi enviado: {theirs}</translation>
</message>
<message>
<source>the service redirected it to {target}, which the program does not follow</source>
<translation>o serviço redirecionou para {target}, e o programa não segue redirecionamentos</translation>
</message>
<message>
<source>the service redirects in a circle; check the address, or ask its provider</source>
<translation>o serviço redireciona em círculo; verifique o endereço ou pergunte ao provedor</translation>
</message>
<message>
<source>the service redirects to {target}; the program does not follow, and neither request nor key went there. If it has moved, give its new address with `connect --url`</source>
<translation>o serviço redireciona para {target}; o programa não segue redirecionamentos: nem a requisição nem a chave foram para lá. Se ele mudou, informe o novo endereço com `connect --url`</translation>
</message>
<message>
<source>the service redirects, but does not say where to; ask its provider for the new address, and give it with `connect --url`</source>
<translation>o serviço redireciona, mas não diz para onde; peça o novo endereço ao provedor e informe-o com `connect --url`</translation>
</message>
<message>
<source>the service rejected the key ({message}); nothing was lost. Give another with `connect --key-stdin`</source>
<translation>o serviço recusou a chave ({message}); nada foi perdido. Informe outra com `connect --key-stdin`</translation>
</message>
<message>
<source>the service rejected the key in PETSTORE_API_KEY ({message}); nothing was lost. Put another one in that variable, or unset it to use the key in the keyring</source>
<translation>o serviço recusou a chave em PETSTORE_API_KEY ({message}); nada foi perdido. Ponha outra nessa variável, ou remova-a para usar a chave do chaveiro</translation>
</message>
<message>
<source>the service rejected the key {key} ({message}); nothing was lost. Give another with `connect --further-key`</source>
<translation>o serviço recusou a chave {key} ({message}); nada foi perdido. Informe outra com `connect --further-key`</translation>
</message>
<message>
<source>the service says that the record is gone, and still shows it</source>
<translation>o serviço diz que o registro não existe mais, e ainda o mostra</translation>
</message>
<message>
<source>the service sent an empty answer instead of data.</source>
<translation>o serviço enviou uma resposta vazia em vez de dados.</translation>
</message>
<message>
<source>the service showed another record than the one asked for</source>
<translation>o serviço mostrou outro registro, não o que foi consultado</translation>
</message>
<message>
<source>the service stopped answering before the answer was complete.</source>
<translation>o serviço parou de responder antes de a resposta ficar completa.</translation>
</message>
<message>
<source>the service takes no requests just now</source>
<translation>o serviço não aceita requisições agora</translation>
</message>
<message>
<source>the service wants another key too: {key}; give it with `connect --further-key`</source>
<translation>o serviço exige ainda outra chave: {key}; informe-a com `connect --further-key`</translation>
</message>
<message>
<source>the service wants the whole record, and it has not been read yet</source>
<translation>o serviço exige o registro inteiro, e ele ainda não foi lido</translation>
</message>
<message>
<source>the service’s answer broke off</source>
<translation>a resposta do serviço foi interrompida</translation>
</message>
<message>
<source>the service’s answer could not be read</source>
<translation>não foi possível ler a resposta do serviço</translation>
</message>
<message>
<source>the service’s answer could not be read, and nothing was changed</source>
<translation>não foi possível ler a resposta do serviço, e nada foi alterado</translation>
</message>
<message>
<source>the service’s answer held no list</source>
<translation>a resposta do serviço não continha nenhuma lista</translation>
</message>
<message>
<source>the service’s answer was empty</source>
<translation>a resposta do serviço estava vazia</translation>
</message>
<message>
<source>the service’s answer was too large</source>
<translation>a resposta do serviço era grande demais</translation>
</message>
<message>
<source>the stock</source>
<translation>o estoque</translation>
</message>
<message>
<source>the system’s</source>
<translation>os do sistema</translation>
</message>
<message>
<source>the variable PETSTORE_API_KEY</source>
<translation>a variável PETSTORE_API_KEY</translation>
</message>
<message>
<source>there are changes for the service at {address}, which this connection used before ({count}); they are kept in {path} and are sent when the connection has that address again</source>
<translation>há alterações feitas para o serviço em {address}, que esta conexão usava antes ({count}); elas ficam em {path} e são enviadas quando a conexão tiver esse endereço de novo</translation>
</message>
<message>
<source>there is no connection called {name}; `petstore-desktop connections` lists them</source>
<translation>não há conexão chamada {name}; `petstore-desktop connections` as lista</translation>
</message>
<message>
<source>there is no connection called {name}; did you mean {alike}? `petstore-desktop connections` lists them</source>
<translation>não há conexão chamada {name}; você quis dizer {alike}? `petstore-desktop connections` as lista</translation>
</message>
<message>
<source>there is no file {file}; nothing was saved</source>
<translation>não existe o arquivo {file}; nada foi salvo</translation>
</message>
<message>
<source>there is no file {path}; nothing was changed. Give a file with certificates in PEM form</source>
<translation>não existe o arquivo {path}; nada foi alterado. Informe um arquivo com certificados no formato PEM</translation>
</message>
<message>
<source>there is no key for {name}, so nothing was sent</source>
<translation>não há chave para {name}, por isso nada foi enviado</translation>
</message>
<message>
<source>there is no key for {name}; give it with `petstore-desktop connect {typed} --url {url} --key-stdin`</source>
<translation>não há chave para {name}; informe-a com `petstore-desktop connect {typed} --url {url} --key-stdin`</translation>
</message>
<message>
<source>there is no key that works</source>
<translation>não há chave que funcione</translation>
</message>
<message>
<source>there is no network, or the service is away</source>
<translation>não há rede ou o serviço está fora do ar</translation>
</message>
<message>
<source>there is no pet {pet}; did you mean {could}?</source>
<translation>não existe o pet {pet}; você quis dizer {could}?</translation>
</message>
<message>
<source>there is no pet {pet}; give its id, or its name as it is written in the list</source>
<translation>não existe o pet {pet}; informe o id ou o nome como está na lista</translation>
</message>
<message>
<source>there is no profile {path}, and no such file; those that come with the program are called {names}</source>
<translation>não há perfil {path} nem tal arquivo; os que acompanham o programa se chamam {names}</translation>
</message>
<message>
<source>there is nothing to decide about it</source>
<translation>não há nada a decidir sobre ela</translation>
</message>
<message>
<source>there was no look at the record shortly before it, because answers or the limit of requests took too long, and a change by somebody else could have been overwritten. Sent again, it rests on what was last seen</source>
<translation>não foi possível ler o registro pouco antes, porque as respostas ou o limite de requisições demoraram demais, e uma alteração de outra pessoa poderia ter sido sobrescrita. Se reenviada, ela se baseia no que foi visto por último</translation>
</message>
<message numerus="yes">
<source>these {n} filters</source>
<translation>
<numerusform>este filtro</numerusform>
<numerusform>estes {n} filtros</numerusform>
</translation>
</message>
<message>
<source>they were entered before the program was started; change or remove a line itself</source>
<translation>elas foram digitadas antes de o programa ser iniciado; altere ou remova a própria linha</translation>
</message>
<message>
<source>this address belongs to another server than the service's own; nothing was sent there</source>
<translation>este endereço pertence a outro servidor que não o do serviço; nada foi enviado para lá</translation>
</message>
<message>
<source>this answer could not be written to standard output ({why})</source>
<translation>esta resposta não pôde ser escrita na saída padrão ({why})</translation>
</message>
<message>
<source>this cannot be understood ({code})</source>
<translation>isto não pode ser entendido ({code})</translation>
</message>
<message>
<source>this computer has no keyring that can store a key; nothing was stored, neither key nor connection. Connect without --key-stdin, and give the key in the variable PETSTORE_API_KEY or in the window</source>
<translation>este computador não tem um chaveiro que possa guardar uma chave; nada foi guardado, nem a chave nem a conexão. Conecte sem --key-stdin e informe a chave na variável PETSTORE_API_KEY ou na janela</translation>
</message>
<message>
<source>this service does not bring back what was deleted</source>
<translation>este serviço não traz de volta o que foi excluído</translation>
</message>
<message>
<source>this service does not delete what was created</source>
<translation>este serviço não exclui o que foi criado</translation>
</message>
<message>
<source>this service does not offer it</source>
<translation>este serviço não oferece isso</translation>
</message>
<message>
<source>this service does not offer that</source>
<translation>este serviço não oferece isso</translation>
</message>
<message>
<source>this service no longer takes such changes</source>
<translation>este serviço não aceita mais essas alterações</translation>
</message>
<message>
<source>timed out</source>
<translation>tempo esgotado</translation>
</message>
<message>
<source>times in {zone}</source>
<translation>horários em {zone}</translation>
</message>
<message>
<source>to ship on {day}</source>
<translation>envio em {day}</translation>
</message>
<message>
<source>today</source>
<translation>hoje</translation>
</message>
<message>
<source>today</source>
<comment>a ship date</comment>
<translation>hoje</translation>
</message>
<message>
<source>today   yesterday   tomorrow   this week   last week   next week   this month   last month</source>
<translation>hoje   ontem   amanhã   esta semana   semana passada   próxima semana   este mês   mês passado</translation>
</message>
<message>
<source>today included</source>
<translation>incluindo hoje</translation>
</message>
<message>
<source>tomorrow</source>
<comment>a ship date</comment>
<translation>amanhã</translation>
</message>
<message>
<source>too many requests</source>
<translation>requisições demais</translation>
</message>
<message>
<source>took too long</source>
<translation>demorou demais</translation>
</message>
<message>
<source>unchanged</source>
<translation>sem alteração</translation>
</message>
<message>
<source>unclear, read only</source>
<translation>incerto, somente leitura</translation>
</message>
<message>
<source>unconfirmed</source>
<translation>não confirmado</translation>
</message>
<message>
<source>undone</source>
<translation>desfeito</translation>
</message>
<message>
<source>unfreeze unpin unlock frozen panes</source>
<translation>liberar desafixar destravar painéis congelados</translation>
</message>
<message>
<source>unknown</source>
<translation>desconhecido</translation>
</message>
<message>
<source>unknown type</source>
<translation>tipo desconhecido</translation>
</message>
<message>
<source>unrecognized arguments: {words}</source>
<translation>argumentos desconhecidos: {words}</translation>
</message>
<message>
<source>unsent  saved on this computer, not sent</source>
<translation>não-enviado  salvo neste computador, não enviado</translation>
</message>
<message>
<source>until {time}</source>
<translation>até {time}</translation>
</message>
<message numerus="yes">
<source>up to {n} requests</source>
<translation>
<numerusform>até {n} requisição</numerusform>
<numerusform>até {n} requisições</numerusform>
</translation>
</message>
<message>
<source>used</source>
<comment>of a place on a sheet of labels</comment>
<translation>usada</translation>
</message>
<message>
<source>various</source>
<comment>several different changes</comment>
<translation>várias</translation>
</message>
<message>
<source>verify fresh current now</source>
<translation>verificar recente atual agora</translation>
</message>
<message>
<source>version licence license information</source>
<translation>versão licença informações</translation>
</message>
<message>
<source>versions past earlier audit</source>
<translation>versões passado anterior auditoria</translation>
</message>
<message>
<source>views</source>
<comment>the name of a file</comment>
<translation>exibições</translation>
</message>
<message>
<source>waiting</source>
<translation>aguardando</translation>
</message>
<message>
<source>waits</source>
<translation>aguarda</translation>
</message>
<message>
<source>waits ({why})</source>
<translation>aguarda ({why})</translation>
</message>
<message>
<source>waits for its turn</source>
<translation>aguarda a vez</translation>
</message>
<message>
<source>waits for its turn, until {time}</source>
<translation>aguarda a vez, até {time}</translation>
</message>
<message>
<source>waits for the minute’s requests</source>
<translation>aguarda as solicitações do próximo minuto</translation>
</message>
<message>
<source>waits for the minute’s requests, until {time}</source>
<translation>aguarda as solicitações do próximo minuto, até {time}</translation>
</message>
<message>
<source>waits for the next day’s requests</source>
<translation>aguarda as solicitações do próximo dia</translation>
</message>
<message>
<source>waits for the next day’s requests, until {time}</source>
<translation>aguarda as solicitações do próximo dia, até {time}</translation>
</message>
<message>
<source>waits until sending resumes</source>
<translation>aguarda a retomada do envio</translation>
</message>
<message>
<source>waits until the service can be reached</source>
<translation>aguarda até o serviço voltar a responder</translation>
</message>
<message>
<source>weekly monthly week month pdf paper printer figures summary statistics</source>
<translation>semanal mensal semana mês pdf papel impressora números resumo estatísticas</translation>
</message>
<message>
<source>what is kept on this computer is unchanged</source>
<translation>o que está neste computador não foi alterado</translation>
</message>
<message>
<source>what was sent is not what the service shows now, of records: {met}. It said that it did it and did not, or somebody changed them since.</source>
<translation>o que foi enviado não é o que o serviço mostra agora, em registros: {met}. Ele disse que fez e não fez, ou alguém os alterou depois.</translation>
</message>
<message>
<source>width order default restore</source>
<translation>largura ordem padrão restaurar</translation>
</message>
<message>
<source>width resize</source>
<translation>largura redimensionar</translation>
</message>
<message>
<source>with other statuses</source>
<translation>com outros status</translation>
</message>
<message>
<source>without a name</source>
<translation>sem nome</translation>
</message>
<message>
<source>without a status</source>
<translation>sem status</translation>
</message>
<message>
<source>without-category  it has none, or one that does not exist</source>
<translation>sem-categoria  não tem nenhuma ou tem uma que não existe</translation>
</message>
<message>
<source>wrong</source>
<translation>com erro</translation>
</message>
<message>
<source>yes</source>
<translation>sim</translation>
</message>
<message>
<source>yesterday</source>
<translation>ontem</translation>
</message>
<message>
<source>yesterday {time}</source>
<translation>ontem às {time}</translation>
</message>
<message>
<source>your changes go first</source>
<translation>suas alterações vão primeiro</translation>
</message>
<message>
<source>{action}: {job}</source>
<translation>{action}: {job}</translation>
</message>
<message>
<source>{action}: {why}</source>
<translation>{action}: {why}</translation>
</message>
<message numerus="yes">
<source>{added}, {n} cannot be used</source>
<translation>
<numerusform>{added}, {n} não pode ser usada</numerusform>
<numerusform>{added}, {n} não podem ser usadas</numerusform>
</translation>
</message>
<message>
<source>{address} is not an http(s) address; give the service's base address, such as https://shop.example/v1</source>
<translation>{address} não é um endereço http(s); informe o endereço base do serviço, como https://shop.example/v1</translation>
</message>
<message>
<source>{alike}, but only by its fields: it is not used unless you choose it.</source>
<translation>{alike}, mas só pelos campos: não será usado a menos que você o escolha.</translation>
</message>
<message>
<source>{answer}, then {why}</source>
<translation>{answer}, depois {why}</translation>
</message>
<message>
<source>{banned} Your changes are saved on this computer.</source>
<translation>{banned} Suas alterações estão salvas neste computador.</translation>
</message>
<message>
<source>{base} at the shop</source>
<translation>{base} na loja</translation>
</message>
<message>
<source>{before} → {after}</source>
<translation>{before} → {after}</translation>
</message>
<message numerus="yes">
<source>{bound} of {n} operations can be used.</source>
<translation>
<numerusform>{bound} de {n} operação pode ser usada.</numerusform>
<numerusform>{bound} de {n} operações podem ser usadas.</numerusform>
</translation>
</message>
<message>
<source>{category} {n} of {total}</source>
<translation>{category} {n} de {total}</translation>
</message>
<message>
<source>{category}, {id}</source>
<translation>{category}, {id}</translation>
</message>
<message numerus="yes">
<source>{changes} are not sent yet and will never be.</source>
<translation>
<numerusform>{changes} ainda não foi enviada e nunca será.</numerusform>
<numerusform>{changes} ainda não foram enviadas e nunca serão.</numerusform>
</translation>
</message>
<message>
<source>{changes} discarded</source>
<translation>Descartado: {changes}</translation>
</message>
<message>
<source>{changes} not sent yet are counted in.</source>
<translation>Inclui {changes} a enviar.</translation>
</message>
<message>
<source>{changes} sent</source>
<translation>enviado: {changes}</translation>
</message>
<message>
<source>{changes} to send</source>
<translation>a enviar: {changes}</translation>
</message>
<message numerus="yes">
<source>{changes} were not sent.</source>
<translation>
<numerusform>{changes} não foi enviada.</numerusform>
<numerusform>{changes} não foram enviadas.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{change} and {n} more changes</source>
<translation>
<numerusform>{change} e mais {n} alteração</numerusform>
<numerusform>{change} e mais {n} alterações</numerusform>
</translation>
</message>
<message>
<source>{change} not sent</source>
<translation>{change} não enviado</translation>
</message>
<message>
<source>{change} since, which stays</source>
<translation>{change} desde então; isso permanece</translation>
</message>
<message>
<source>{chip} of {record}</source>
<translation>{chip} de {record}</translation>
</message>
<message>
<source>{code} is forgotten</source>
<translation>{code} foi esquecido</translation>
</message>
<message>
<source>{code} is {pet} from now on</source>
<translation>De agora em diante, {code} é {pet}</translation>
</message>
<message>
<source>{code}: {pets}</source>
<translation>{code}: {pets}</translation>
</message>
<message>
<source>{column} cannot be edited here.</source>
<translation>A coluna {column} não pode ser editada aqui.</translation>
</message>
<message>
<source>{column}: sum {sum}</source>
<translation>{column}: soma {sum}</translation>
</message>
<message>
<source>{column}: sum {sum}, {least} to {most}</source>
<translation>{column}: soma {sum}, de {least} a {most}</translation>
</message>
<message numerus="yes">
<source>{column}: {n} numbers, sum {sum}, least {least}, most {most}</source>
<translation>
<numerusform>{column}: {n} número, soma {sum}, menor {least}, maior {most}</numerusform>
<numerusform>{column}: {n} números, soma {sum}, menor {least}, maior {most}</numerusform>
</translation>
</message>
<message>
<source>{column}: {why}</source>
<translation>{column}: {why}</translation>
</message>
<message numerus="yes">
<source>{counts} and {n} others</source>
<translation>
<numerusform>{counts} e {n} outro</numerusform>
<numerusform>{counts} e {n} outros</numerusform>
</translation>
</message>
<message>
<source>{count} in stock since {time}, {before} before.</source>
<translation>{count} em estoque desde {time}; antes, {before}.</translation>
</message>
<message>
<source>{count} in stock since {time}.</source>
<translation>{count} em estoque desde {time}.</translation>
</message>
<message>
<source>{count} of {total} changes</source>
<comment>the last line of a file</comment>
<translation>{count} de {total} alterações</translation>
</message>
<message>
<source>{count} pets could be meant by {pet}: {could}; give the id with a # before it</source>
<translation>{pet} pode ser um de {count} pets: {could}; informe o id com um # antes</translation>
</message>
<message>
<source>{count} {status}</source>
<translation>{status}: {count}</translation>
</message>
<message>
<source>{count} {words}</source>
<translation>{count} {words}</translation>
</message>
<message>
<source>{count}, to ship on {day}</source>
<translation>{count}, envio em {day}</translation>
</message>
<message>
<source>{days} late</source>
<translation>{days} de atraso</translation>
</message>
<message>
<source>{days} {hours}</source>
<translation>{days} {hours}</translation>
</message>
<message>
<source>{day}   &gt;{day}   {day}..{last}</source>
<translation>{day}   &gt;{day}   {day}..{last}</translation>
</message>
<message numerus="yes">
<source>{day} was {n} days ago.</source>
<translation>
<numerusform>{day} foi ontem.</numerusform>
<numerusform>{day} foi há {n} dias.</numerusform>
</translation>
</message>
<message>
<source>{day} {time}</source>
<translation>{day} às {time}</translation>
</message>
<message>
<source>{day}, {distance}</source>
<translation>{day}, {distance}</translation>
</message>
<message>
<source>{day}, {time}</source>
<translation>{day}, {time}</translation>
</message>
<message>
<source>{day}: no orders</source>
<translation>{day}: nenhum pedido</translation>
</message>
<message>
<source>{day}: {counts}</source>
<translation>{day}: {counts}</translation>
</message>
<message numerus="yes">
<source>{done} of {n} labels</source>
<comment>painted</comment>
<translation>
<numerusform>{done} de {n} etiqueta</numerusform>
<numerusform>{done} de {n} etiquetas</numerusform>
</translation>
</message>
<message>
<source>{done} of {total}</source>
<translation>{done} de {total}</translation>
</message>
<message>
<source>{done}. Nothing more of this kind is sent until you send this again</source>
<translation>{done}. Nada mais deste tipo será enviado até você reenviar esta alteração</translation>
</message>
<message>
<source>{endpoint} (careful: {why})</source>
<translation>{endpoint} (cuidado: {why})</translation>
</message>
<message>
<source>{endpoint} looks like {things}</source>
<translation>{endpoint} parece conter {things}</translation>
</message>
<message>
<source>{endpoint} was not taken: {why}.</source>
<translation>{endpoint} não foi usado: {why}.</translation>
</message>
<message>
<source>{field} is {value}</source>
<translation>{field} agora é {value}</translation>
</message>
<message>
<source>{field} of {record}</source>
<translation>{field} de {record}</translation>
</message>
<message>
<source>{field} of {things} is read as {name}, and written as {written}.</source>
<translation>{field} de {things} é lido como {name} e gravado como {written}.</translation>
</message>
<message>
<source>{field} of {things} is read from {name}, a guess by its name; choose it in File &gt; Operations to change it.</source>
<translation>{field} de {things} é lido de {name}, deduzido pelo nome; escolha-o em Arquivo &gt; Operações para poder alterá-lo.</translation>
</message>
<message>
<source>{field} {change}</source>
<comment>a field and by how much it changes</comment>
<translation>{field} {change}</translation>
</message>
<message>
<source>{field}: {value}</source>
<translation>{field}: {value}</translation>
</message>
<message>
<source>{file} (of the service at {address})</source>
<translation>{file} (do serviço em {address})</translation>
</message>
<message>
<source>{file} cannot be read or written.</source>
<translation>Não é possível ler ou gravar {file}.</translation>
</message>
<message>
<source>{file} could not be upgraded for this version of the program.</source>
<translation>Não foi possível converter {file} para esta versão do programa.</translation>
</message>
<message>
<source>{file} is damaged.</source>
<translation>{file} está danificado.</translation>
</message>
<message>
<source>{file} is in use by another program.</source>
<translation>{file} está em uso por outro programa.</translation>
</message>
<message>
<source>{file} is not a file: it is a folder, a pipe, a device, or a link that leads nowhere.</source>
<translation>{file} não é um arquivo: é uma pasta, um pipe, um dispositivo ou um link que não leva a lugar nenhum.</translation>
</message>
<message>
<source>{file} is not there any more.</source>
<translation>{file} não está mais lá.</translation>
</message>
<message>
<source>{file} is write-protected.</source>
<translation>{file} está protegido contra gravação.</translation>
</message>
<message>
<source>{file} was written by a later version of this program.</source>
<translation>{file} foi criado por uma versão mais recente deste programa.</translation>
</message>
<message>
<source>{filters}: clear all filters.</source>
<translation>{filters}: limpar todos os filtros.</translation>
</message>
<message>
<source>{filter}: clear this filter.</source>
<translation>{filter}: limpar este filtro.</translation>
</message>
<message>
<source>{first} – {last}</source>
<comment>from one day to another</comment>
<translation>{first} – {last}</translation>
</message>
<message>
<source>{found} of {all}</source>
<translation>{found} de {all}</translation>
</message>
<message>
<source>{group}, collapsed</source>
<translation>{group}, recolhido</translation>
</message>
<message>
<source>{group}, expanded</source>
<translation>{group}, expandido</translation>
</message>
<message>
<source>{head}, {note}</source>
<translation>{head}, {note}</translation>
</message>
<message>
<source>{head}: {names}</source>
<translation>{head}: {names}</translation>
</message>
<message numerus="yes">
<source>{head}: {n}</source>
<translation>
<numerusform>{head}: {n}</numerusform>
<numerusform>{head}: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{head}: {n}, {names}</source>
<translation>
<numerusform>{head}: {n}, {names}</numerusform>
<numerusform>{head}: {n}, {names}</numerusform>
</translation>
</message>
<message>
<source>{host} answers without encryption at this port.</source>
<translation>{host} responde sem criptografia nesta porta.</translation>
</message>
<message>
<source>{host} broke off before the connection was secure.</source>
<translation>{host} interrompeu antes de a conexão ficar segura.</translation>
</message>
<message>
<source>{host} cannot be looked up: this computer seems to be offline.</source>
<translation>Não é possível localizar {host}: este computador parece estar offline.</translation>
</message>
<message>
<source>{host} cannot be reached ({why}); nothing was sent. It is tried again by itself</source>
<translation>não é possível acessar {host} ({why}); nada foi enviado. O programa tenta de novo sozinho</translation>
</message>
<message>
<source>{host} cannot be reached.</source>
<translation>Não é possível acessar {host}.</translation>
</message>
<message>
<source>{host} cannot be reached: nothing answers there. It may be down, or the port wrong.</source>
<translation>Não é possível acessar {host}: nada responde lá. Pode estar fora do ar ou a porta está errada.</translation>
</message>
<message>
<source>{host} did not answer in time.</source>
<translation>{host} não respondeu a tempo.</translation>
</message>
<message>
<source>{host} offers only outdated encryption, which is no longer safe.</source>
<translation>{host} só oferece criptografia ultrapassada, que não é mais segura.</translation>
</message>
<message>
<source>{hours} {minutes}</source>
<translation>{hours} {minutes}</translation>
</message>
<message>
<source>{job}: {done}</source>
<translation>{job}: {done}</translation>
</message>
<message>
<source>{key} (header {name})</source>
<translation>{key} (cabeçalho {name})</translation>
</message>
<message>
<source>{key} (in the address, as {name})</source>
<translation>{key} (no endereço, como {name})</translation>
</message>
<message>
<source>{kind}: {sum}</source>
<comment>the title of a list of changes</comment>
<translation>{kind}: {sum}</translation>
</message>
<message>
<source>{known} {cost}</source>
<translation>{known} {cost}</translation>
</message>
<message>
<source>{labels}, {sheets}</source>
<translation>{labels}, {sheets}</translation>
</message>
<message>
<source>{label}: {text}</source>
<translation>{label}: {text}</translation>
</message>
<message>
<source>{left} left</source>
<translation>{left} restantes</translation>
</message>
<message>
<source>{left} left, {ends}</source>
<translation>{left} restantes, {ends}</translation>
</message>
<message>
<source>{left} of {limit} are left, for Refresh and Check live.</source>
<translation>Restam {left} de {limit}, para Atualizar e Conferir ao vivo.</translation>
</message>
<message>
<source>{left} of {limit} left</source>
<translation>{left} de {limit} restantes</translation>
</message>
<message>
<source>{length} ahead of this computer’s</source>
<translation>{length} adiantado em relação ao deste computador</translation>
</message>
<message>
<source>{length} behind this computer’s</source>
<translation>{length} atrasado em relação ao deste computador</translation>
</message>
<message>
<source>{length} mm</source>
<translation>{length} mm</translation>
</message>
<message>
<source>{limits}, {scene}.</source>
<translation>{limits}, {scene}.</translation>
</message>
<message>
<source>{limits}.</source>
<translation>{limits}.</translation>
</message>
<message>
<source>{line} · the service counts {counts} {age}</source>
<translation>{line} · contagem do serviço: {counts}, {age}</translation>
</message>
<message>
<source>{list}, {field}: not found in the service’s records.</source>
<translation>{list}, {field}: não encontrado nos registros do serviço.</translation>
</message>
<message>
<source>{list}, {field}: read from {name}, which is a guess. To change it here, choose the name.</source>
<translation>{list}, {field}: lido de {name}, deduzido pelo nome. Para poder alterá-lo aqui, escolha o nome.</translation>
</message>
<message>
<source>{list}, {field}: read from {name}.</source>
<translation>{list}, {field}: lido de {name}.</translation>
</message>
<message>
<source>{list}: the program cannot tell which record a change would reach, because {name} can mean two things. A profile settles it.</source>
<translation>{list}: o programa não sabe qual registro uma alteração atingiria, porque {name} pode significar duas coisas. Um perfil esclarece isso.</translation>
</message>
<message>
<source>{low} of {total}</source>
<translation>{low} de {total}</translation>
</message>
<message>
<source>{more}: {title}</source>
<translation>{more}: {title}</translation>
</message>
<message>
<source>{names} and {last}</source>
<translation>{names} e {last}</translation>
</message>
<message numerus="yes">
<source>{names} and {n} more</source>
<translation>
<numerusform>{names} e mais {n}</numerusform>
<numerusform>{names} e mais {n}</numerusform>
</translation>
</message>
<message>
<source>{names} and {n} more categories</source>
<translation>{names} e mais {n} categorias</translation>
</message>
<message>
<source>{names}: {said}</source>
<translation>{names}: {said}</translation>
</message>
<message numerus="yes">
<source>{names}; and {n} more</source>
<translation>
<numerusform>{names}; e mais {n}</numerusform>
<numerusform>{names}; e mais {n}</numerusform>
</translation>
</message>
<message>
<source>{name} (#{id})</source>
<translation>{name} (#{id})</translation>
</message>
<message>
<source>{name} ({id})</source>
<translation>{name} ({id})</translation>
</message>
<message>
<source>{name} already exists. Choose another name.</source>
<translation>{name} já existe. Escolha outro nome.</translation>
</message>
<message>
<source>{name} cannot be kept with this value of {what}; nothing was changed</source>
<translation>não é possível guardar {name} com este valor de {what}; nada foi alterado</translation>
</message>
<message>
<source>{name} has another value for {parameter}, and what is kept of it belongs to that; make a connection of another name</source>
<translation>{name} tem outro valor para {parameter}, e os dados dela aqui pertencem a esse valor; crie uma conexão com outro nome</translation>
</message>
<message>
<source>{name} has changes that are not sent yet ({count}); nothing was removed. --yes writes them to a file and forgets {name}</source>
<translation>alterações de {name} ainda não enviadas: {count}; nada foi removido. --yes grava as alterações em um arquivo e esquece {name}</translation>
</message>
<message>
<source>{name} has changes that wait for {address} ({count}); let them be sent, or forget {name}, before its address is changed</source>
<translation>há alterações de {name} esperando por {address} ({count}); deixe que sejam enviadas, ou esqueça {name}, antes de mudar o endereço</translation>
</message>
<message>
<source>{name} has no list of {resource}: its service does not offer one</source>
<translation>{name} não tem lista de {resource}: o serviço não oferece nenhuma</translation>
</message>
<message>
<source>{name} is no status of an order. There are: {known}.</source>
<translation>{name} não é uma situação de pedido. Existem: {known}.</translation>
</message>
<message>
<source>{name} is not available, pending or sold.</source>
<translation>{name} não é um status: use disponível, reservado ou vendido.</translation>
</message>
<message>
<source>{name} is read-only; nothing was saved. `connect --read-write` ends that</source>
<translation>{name} é somente leitura; nada foi salvo. `connect --read-write` encerra isso</translation>
</message>
<message>
<source>{name} was closed in the running program before anything was saved; say it again</source>
<translation>{name} foi fechada no programa em execução antes que algo fosse salvo; tente de novo</translation>
</message>
<message>
<source>{name}, view of {list}</source>
<translation>{name}, exibição de {list}</translation>
</message>
<message>
<source>{name}: in stock {mine} here, {theirs} elsewhere</source>
<translation>{name}: em estoque {mine} aqui, {theirs} em outro lugar</translation>
</message>
<message>
<source>{name}: renamed, because its name was taken</source>
<translation>{name}: renomeada, porque o nome já existia</translation>
</message>
<message>
<source>{name}: {after}, {who}</source>
<translation>{name}: {after}, {who}</translation>
</message>
<message>
<source>{name}: {before} → {after}, {who}</source>
<translation>{name}: {before} → {after}, {who}</translation>
</message>
<message>
<source>{name}: {lasts}, {gone}</source>
<translation>{name}: {lasts}, {gone}</translation>
</message>
<message>
<source>{name}: {low} of {total} low</source>
<translation>{name}: {low} de {total} com estoque baixo</translation>
</message>
<message>
<source>{name}: {mine} here, {theirs} elsewhere</source>
<translation>{name}: {mine} aqui, {theirs} em outro lugar</translation>
</message>
<message>
<source>{now} ({change})</source>
<comment>pieces now, and how many more than before</comment>
<translation>{now} ({change})</translation>
</message>
<message>
<source>{number} s</source>
<comment>seconds</comment>
<translation>{number} s</translation>
</message>
<message>
<source>{number} typed</source>
<translation>digitado: {number}</translation>
</message>
<message numerus="yes">
<source>{n} already have this value.</source>
<translation>
<numerusform>{n} já tem este valor.</numerusform>
<numerusform>{n} já têm este valor.</numerusform>
</translation>
</message>
<message>
<source>{n} are called {name}: a column with ids is needed.</source>
<translation>{n} se chamam {name}: é necessária uma coluna com ids.</translation>
</message>
<message numerus="yes">
<source>{n} bar codes added</source>
<translation>
<numerusform>{n} código de barras adicionado</numerusform>
<numerusform>{n} códigos de barras adicionados</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} bar codes written to {file}</source>
<translation>
<numerusform>{n} código de barras salvo em {file}</numerusform>
<numerusform>{n} códigos de barras salvos em {file}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} being sent</source>
<translation>
<numerusform>{n} sendo enviada</numerusform>
<numerusform>{n} sendo enviadas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} cannot be redone: {why}</source>
<translation>
<numerusform>{n} não pode ser refeita: {why}</numerusform>
<numerusform>{n} não podem ser refeitas: {why}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} cannot be saved: see the note.</source>
<translation>
<numerusform>{n} não pode ser salvo: veja a nota.</numerusform>
<numerusform>{n} não podem ser salvos: veja a nota.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} cannot be undone: {why}</source>
<translation>
<numerusform>{n} não pode ser desfeita: {why}</numerusform>
<numerusform>{n} não podem ser desfeitas: {why}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} categories</source>
<translation>
<numerusform>{n} categoria</numerusform>
<numerusform>{n} categorias</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} categories do not exist: {names}.</source>
<translation>
<numerusform>Não existe a categoria {names}.</numerusform>
<numerusform>{n} categorias não existem: {names}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} categories will be added: {names}.</source>
<translation>
<numerusform>Uma categoria será adicionada: {names}.</numerusform>
<numerusform>{n} categorias serão adicionadas: {names}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} cells have values that cannot be saved.</source>
<translation>
<numerusform>{n} célula tem um valor que não pode ser salvo.</numerusform>
<numerusform>{n} células têm valores que não podem ser salvos.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changed meanwhile and are left out: see the note.</source>
<translation>
<numerusform>{n} foi alterado nesse meio-tempo e fica de fora: veja a nota.</numerusform>
<numerusform>{n} foram alterados nesse meio-tempo e ficam de fora: veja a nota.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes</source>
<translation>
<numerusform>{n} alteração</numerusform>
<numerusform>{n} alterações</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes are in {file}</source>
<translation>
<numerusform>{file} contém {n} alteração</numerusform>
<numerusform>{file} contém {n} alterações</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes are saved on this computer and stay paused until you resume them.</source>
<translation>
<numerusform>{n} alteração está salva neste computador e fica pausada até você retomá-la.</numerusform>
<numerusform>{n} alterações estão salvas neste computador e ficam pausadas até você retomá-las.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes are saved on this computer.</source>
<translation>
<numerusform>{n} alteração está salva neste computador.</numerusform>
<numerusform>{n} alterações estão salvas neste computador.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes need attention</source>
<translation>
<numerusform>{n} alteração requer atenção</numerusform>
<numerusform>{n} alterações requerem atenção</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes of a rehearsal wait to be looked at.</source>
<translation>
<numerusform>{n} alteração de uma simulação aguarda para ser vista.</numerusform>
<numerusform>{n} alterações de uma simulação aguardam para ser vistas.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes saved on this computer and not sent; they go out with the next `petstore-desktop sync`, import or booking, or while the window is open</source>
<translation>
<numerusform>{n} alteração salva neste computador e não enviada; ela sairá com o próximo `petstore-desktop sync`, importação ou movimentação de estoque, ou enquanto a janela estiver aberta</numerusform>
<numerusform>{n} alterações salvas neste computador e não enviadas; elas sairão com o próximo `petstore-desktop sync`, importação ou movimentação de estoque, ou enquanto a janela estiver aberta</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes that were refused or in conflict there are not kept.</source>
<translation>
<numerusform>{n} alteração que lá foi recusada ou ficou em conflito não é mantida.</numerusform>
<numerusform>{n} alterações que lá foram recusadas ou ficaram em conflito não são mantidas.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes wait, all saved on this computer.</source>
<translation>
<numerusform>{n} alteração aguarda, salva neste computador.</numerusform>
<numerusform>{n} alterações aguardam, todas salvas neste computador.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes were made for the service at {address}, which this connection used before.</source>
<translation>
<numerusform>{n} alteração foi feita para o serviço em {address}, que esta conexão usava antes.</numerusform>
<numerusform>{n} alterações foram feitas para o serviço em {address}, que esta conexão usava antes.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} codes are unknown.</source>
<translation>
<numerusform>{n} código é desconhecido.</numerusform>
<numerusform>{n} códigos são desconhecidos.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} codes have no room on their label.</source>
<translation>
<numerusform>{n} código não cabe na etiqueta.</numerusform>
<numerusform>{n} códigos não cabem na etiqueta.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} columns beyond the last are left out.</source>
<translation>
<numerusform>{n} coluna além da última fica de fora.</numerusform>
<numerusform>{n} colunas além da última ficam de fora.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} come back with new ids</source>
<translation>
<numerusform>{n} volta com um novo id</numerusform>
<numerusform>{n} voltam com novos ids</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} come back with new ids and without their stock</source>
<translation>
<numerusform>{n} volta com um novo id e sem o estoque</numerusform>
<numerusform>{n} voltam com novos ids e sem o estoque</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} complete</source>
<translation>
<numerusform>{n} concluído</numerusform>
<numerusform>{n} concluídos</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} completed</source>
<comment>after a number of orders placed</comment>
<translation>
<numerusform>{n} concluído</numerusform>
<numerusform>{n} concluídos</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} conflicts</source>
<translation>
<numerusform>{n} conflito</numerusform>
<numerusform>{n} conflitos</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} counted pets have no stock entry, and are not booked.</source>
<translation>
<numerusform>{n} pet contado não tem registro de estoque e não é lançado.</numerusform>
<numerusform>{n} pets contados não têm registro de estoque e não são lançados.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} days</source>
<translation>
<numerusform>{n} dia</numerusform>
<numerusform>{n} dias</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} days ago</source>
<translation>
<numerusform>há {n} dia</numerusform>
<numerusform>há {n} dias</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} days late</source>
<translation>
<numerusform>{n} dia de atraso</numerusform>
<numerusform>{n} dias de atraso</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} decided</source>
<translation>
<numerusform>Decidida</numerusform>
<numerusform>{n} decididas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} decided: yours are discarded</source>
<translation>
<numerusform>Decidida: a sua alteração será descartada</numerusform>
<numerusform>{n} decididas: as suas alterações serão descartadas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} decided: yours are sent again</source>
<translation>
<numerusform>Decidida: a sua alteração será reenviada</numerusform>
<numerusform>{n} decididas: as suas alterações serão reenviadas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} differ.</source>
<translation>
<numerusform>{n} divergência.</numerusform>
<numerusform>{n} divergências.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} discarded</source>
<translation>
<numerusform>{n} descartada</numerusform>
<numerusform>{n} descartadas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} due today</source>
<translation>
<numerusform>{n} para hoje</numerusform>
<numerusform>{n} para hoje</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} elsewhere</source>
<translation>
<numerusform>{n} em outro lugar</numerusform>
<numerusform>{n} em outro lugar</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} empty cells are left out.</source>
<translation>
<numerusform>{n} célula vazia fica de fora.</numerusform>
<numerusform>{n} células vazias ficam de fora.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} filters</source>
<translation>
<numerusform>{n} filtro</numerusform>
<numerusform>{n} filtros</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} follow when the service has answered</source>
<translation>
<numerusform>{n} segue quando o serviço responder</numerusform>
<numerusform>{n} seguem quando o serviço responder</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} further changes are saved with them: deletions, and stock of new pets.</source>
<translation>
<numerusform>{n} outra alteração é salva junto: uma exclusão ou o estoque de um novo pet.</numerusform>
<numerusform>{n} outras alterações são salvas junto: exclusões e estoque de novos pets.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} gone</source>
<comment>records that are no longer there</comment>
<translation>
<numerusform>{n} removido</numerusform>
<numerusform>{n} removidos</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} gone in {days}, {left} in stock</source>
<translation>
<numerusform>{n} saiu em {days}, {left} em estoque</numerusform>
<numerusform>{n} saíram em {days}, {left} em estoque</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} h</source>
<translation>
<numerusform>{n} h</numerusform>
<numerusform>{n} h</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} have open orders, which stay as they are.</source>
<translation>
<numerusform>{n} tem pedidos abertos, que ficam como estão.</numerusform>
<numerusform>{n} têm pedidos abertos, que ficam como estão.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} here</source>
<translation>
<numerusform>{n} aqui</numerusform>
<numerusform>{n} aqui</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} here and elsewhere</source>
<translation>
<numerusform>{n} aqui e em outro lugar</numerusform>
<numerusform>{n} aqui e em outro lugar</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} ids have signs that Code 128 does not have: no code there. Choose QR.</source>
<translation>
<numerusform>{n} id tem caracteres que o Code 128 não tem: fica sem código. Escolha QR.</numerusform>
<numerusform>{n} ids têm caracteres que o Code 128 não tem: ficam sem código. Escolha QR.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} in conflict</source>
<translation>
<numerusform>{n} em conflito</numerusform>
<numerusform>{n} em conflito</numerusform>
</translation>
</message>
<message>
<source>{n} in stock</source>
<translation>{n} em estoque</translation>
</message>
<message numerus="yes">
<source>{n} labels are in {file}</source>
<translation>
<numerusform>{file} contém {n} etiqueta</numerusform>
<numerusform>{file} contém {n} etiquetas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} labels for {pets}</source>
<translation>
<numerusform>{n} etiqueta para {pets}</numerusform>
<numerusform>{n} etiquetas para {pets}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} labels here, {after} after it.</source>
<comment>on a sheet</comment>
<translation>
<numerusform>{n} etiqueta aqui, {after} depois.</numerusform>
<numerusform>{n} etiquetas aqui, {after} depois.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} labels here.</source>
<comment>on a sheet</comment>
<translation>
<numerusform>{n} etiqueta aqui.</numerusform>
<numerusform>{n} etiquetas aqui.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} labels sent to the printer</source>
<translation>
<numerusform>{n} etiqueta enviada à impressora</numerusform>
<numerusform>{n} etiquetas enviadas à impressora</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} lines are not ticked, because their stock may have changed before they were counted: recount, or decide.</source>
<translation>
<numerusform>{n} linha não está marcada, porque seu estoque pode ter mudado antes da contagem: reconte ou decida.</numerusform>
<numerusform>{n} linhas não estão marcadas, porque seu estoque pode ter mudado antes da contagem: reconte ou decida.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} min</source>
<translation>
<numerusform>{n} min</numerusform>
<numerusform>{n} min</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} more</source>
<translation>
<numerusform>mais {n}</numerusform>
<numerusform>mais {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} more requests may be sent this minute.</source>
<translation>
<numerusform>Pode ser enviada mais {n} requisição neste minuto.</numerusform>
<numerusform>Podem ser enviadas mais {n} requisições neste minuto.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} more requests may be sent today.</source>
<translation>
<numerusform>Pode ser enviada mais {n} requisição hoje.</numerusform>
<numerusform>Podem ser enviadas mais {n} requisições hoje.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} ms</source>
<translation>
<numerusform>{n} ms</numerusform>
<numerusform>{n} ms</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} names are too long, and are cut. Choose larger labels.</source>
<translation>
<numerusform>{n} nome é longo demais e será cortado. Escolha etiquetas maiores.</numerusform>
<numerusform>{n} nomes são longos demais e serão cortados. Escolha etiquetas maiores.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} need attention</source>
<translation>
<numerusform>{n} requer atenção</numerusform>
<numerusform>{n} requerem atenção</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} new orders</source>
<translation>
<numerusform>{n} novo pedido</numerusform>
<numerusform>{n} novos pedidos</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} new pets</source>
<translation>
<numerusform>{n} novo pet</numerusform>
<numerusform>{n} novos pets</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} new pets have a stock. You can book it once the service has created them.</source>
<translation>
<numerusform>{n} novo pet tem estoque. Você poderá lançá-lo quando o serviço tiver criado o pet.</numerusform>
<numerusform>{n} novos pets têm estoque. Você poderá lançá-lo quando o serviço tiver criado os pets.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} of them cannot be read; the list has what is left of them.</source>
<translation>
<numerusform>{n} delas não pode ser lida; a lista tem o que restou dela.</numerusform>
<numerusform>{n} delas não podem ser lidas; a lista tem o que restou delas.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} of them undone</source>
<translation>
<numerusform>{n} delas desfeita</numerusform>
<numerusform>{n} delas desfeitas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} of {total} are left out.</source>
<translation>
<numerusform>{n} de {total} fica de fora.</numerusform>
<numerusform>{n} de {total} ficam de fora.</numerusform>
</translation>
</message>
<message>
<source>{n} of {total} counted</source>
<translation>{n} de {total} contados</translation>
</message>
<message>
<source>{n} of {total} counted.</source>
<translation>{n} de {total} contados.</translation>
</message>
<message numerus="yes">
<source>{n} of {total} selected</source>
<translation>
<numerusform>{n} de {total} selecionada</numerusform>
<numerusform>{n} de {total} selecionadas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} on order.</source>
<translation>
<numerusform>Em pedidos: {n}.</numerusform>
<numerusform>Em pedidos: {n}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} open</source>
<translation>
<numerusform>{n} aberto</numerusform>
<numerusform>{n} abertos</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} open orders</source>
<translation>
<numerusform>{n} pedido aberto</numerusform>
<numerusform>{n} pedidos abertos</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} open orders have no date.</source>
<translation>
<numerusform>{n} pedido aberto não tem data.</numerusform>
<numerusform>{n} pedidos abertos não têm data.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} orders</source>
<translation>
<numerusform>{n} pedido</numerusform>
<numerusform>{n} pedidos</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} orders are overdue</source>
<translation>
<numerusform>{n} pedido está atrasado</numerusform>
<numerusform>{n} pedidos estão atrasados</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} orders completed</source>
<translation>
<numerusform>{n} pedido concluído</numerusform>
<numerusform>{n} pedidos concluídos</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} orders placed</source>
<translation>
<numerusform>{n} pedido feito</numerusform>
<numerusform>{n} pedidos feitos</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} other categories</source>
<translation>
<numerusform>{n} outra categoria</numerusform>
<numerusform>{n} outras categorias</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} other changes</source>
<translation>
<numerusform>{n} outra alteração</numerusform>
<numerusform>{n} outras alterações</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} other shops need attention</source>
<translation>
<numerusform>{n} outra loja requer atenção</numerusform>
<numerusform>{n} outras lojas requerem atenção</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} others</source>
<translation>
<numerusform>{n} outro</numerusform>
<numerusform>{n} outros</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} others: {counted} of {total}</source>
<translation>
<numerusform>Mais {n}: {counted} de {total}</numerusform>
<numerusform>Mais {n}: {counted} de {total}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} overdue</source>
<translation>
<numerusform>{n} atrasado</numerusform>
<numerusform>{n} atrasados</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pages, {size}.</source>
<translation>
<numerusform>{n} página, {size}.</numerusform>
<numerusform>{n} páginas, {size}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pasted lines were left out. The first is: {line}</source>
<translation>
<numerusform>{n} linha colada ficou de fora. A primeira é: {line}</numerusform>
<numerusform>{n} linhas coladas ficaram de fora. A primeira é: {line}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pets</source>
<translation>
<numerusform>{n} pet</numerusform>
<numerusform>{n} pets</numerusform>
</translation>
</message>
<message>
<source>{n} pets are called {name}: enter the id.</source>
<translation>{n} pets se chamam {name}: digite o id.</translation>
</message>
<message numerus="yes">
<source>{n} pets are low</source>
<translation>
<numerusform>{n} pet com estoque baixo</numerusform>
<numerusform>{n} pets com estoque baixo</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pets are not counted.</source>
<translation>
<numerusform>{n} pet não foi contado.</numerusform>
<numerusform>{n} pets não foram contados.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pets have no id yet, so their labels have no code. Print them once the pets are sent.</source>
<translation>
<numerusform>{n} pet ainda não tem id, por isso a etiqueta fica sem código. Imprima-a depois que o pet for enviado.</numerusform>
<numerusform>{n} pets ainda não têm id, por isso as etiquetas ficam sem código. Imprima-as depois que os pets forem enviados.</numerusform>
</translation>
</message>
<message>
<source>{n} pets have the code {code}</source>
<translation>{n} pets têm o código {code}</translation>
</message>
<message numerus="yes">
<source>{n} pets sold</source>
<translation>
<numerusform>{n} pet vendido</numerusform>
<numerusform>{n} pets vendidos</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pieces</source>
<translation>
<numerusform>{n} unidade</numerusform>
<numerusform>{n} unidades</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} problems found.</source>
<translation>
<numerusform>{n} problema encontrado.</numerusform>
<numerusform>{n} problemas encontrados.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} records are set aside and not counted.</source>
<translation>
<numerusform>{n} registro está à parte e não é contado.</numerusform>
<numerusform>{n} registros estão à parte e não são contados.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} records have a slash in their ids: they are shown, and cannot be changed here.</source>
<translation>
<numerusform>{n} registro tem uma barra no id: ele é mostrado, mas não pode ser alterado aqui.</numerusform>
<numerusform>{n} registros têm uma barra no id: eles são mostrados, mas não podem ser alterados aqui.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} records may be gone</source>
<translation>
<numerusform>{n} registro talvez excluído</numerusform>
<numerusform>{n} registros talvez excluídos</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} records set aside</source>
<translation>
<numerusform>{n} registro à parte</numerusform>
<numerusform>{n} registros à parte</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} refused</source>
<translation>
<numerusform>{n} recusada</numerusform>
<numerusform>{n} recusadas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} remarks on the document</source>
<translation>
<numerusform>{n} observação sobre o documento</numerusform>
<numerusform>{n} observações sobre o documento</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests</source>
<translation>
<numerusform>{n} requisição</numerusform>
<numerusform>{n} requisições</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests a day</source>
<translation>
<numerusform>{n} requisição por dia</numerusform>
<numerusform>{n} requisições por dia</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests a minute</source>
<translation>
<numerusform>{n} requisição por minuto</numerusform>
<numerusform>{n} requisições por minuto</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests a minute, {day} a day</source>
<translation>
<numerusform>{n} requisição por minuto, {day} por dia</numerusform>
<numerusform>{n} requisições por minuto, {day} por dia</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests are left of this minute’s.</source>
<translation>
<numerusform>Resta {n} requisição deste minuto.</numerusform>
<numerusform>Restam {n} requisições deste minuto.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests are left of today’s.</source>
<translation>
<numerusform>Resta {n} requisição de hoje.</numerusform>
<numerusform>Restam {n} requisições de hoje.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests are on the clipboard, without the key</source>
<translation>
<numerusform>{n} requisição está na área de transferência, sem a chave</numerusform>
<numerusform>{n} requisições estão na área de transferência, sem a chave</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests.</source>
<translation>
<numerusform>{n} requisição.</numerusform>
<numerusform>{n} requisições.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows are in {file}</source>
<translation>
<numerusform>{n} linha está em {file}</numerusform>
<numerusform>{n} linhas estão em {file}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows are read.</source>
<translation>
<numerusform>{n} linha lida.</numerusform>
<numerusform>{n} linhas lidas.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows are the same only by changes that the service has not taken</source>
<translation>
<numerusform>{n} linha só é igual por alterações que o serviço não aceitou</numerusform>
<numerusform>{n} linhas só são iguais por alterações que o serviço não aceitou</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows beyond the end are left out.</source>
<translation>
<numerusform>{n} linha além do fim fica de fora.</numerusform>
<numerusform>{n} linhas além do fim ficam de fora.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows copied</source>
<translation>
<numerusform>{n} linha copiada</numerusform>
<numerusform>{n} linhas copiadas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows copied with Id, Name and To order.</source>
<translation>
<numerusform>{n} linha copiada com Id, Nome e “A repor”.</numerusform>
<numerusform>{n} linhas copiadas com Id, Nome e “A repor”.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows hold changes that are not sent yet.</source>
<translation>
<numerusform>{n} linha tem uma alteração ainda não enviada.</numerusform>
<numerusform>{n} linhas têm alterações ainda não enviadas.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows were imported before, and are not added again.</source>
<translation>
<numerusform>{n} linha já foi importada e não é adicionada de novo.</numerusform>
<numerusform>{n} linhas já foram importadas e não são adicionadas de novo.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows were imported before, and are not made again without --again</source>
<translation>
<numerusform>{n} linha já foi importada e não é adicionada de novo sem --again</numerusform>
<numerusform>{n} linhas já foram importadas e não são adicionadas de novo sem --again</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows were imported before, and make new records.</source>
<translation>
<numerusform>{n} linha já foi importada e cria um novo registro.</numerusform>
<numerusform>{n} linhas já foram importadas e criam novos registros.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} saved views cannot be used by this version; they are kept</source>
<translation>
<numerusform>{n} exibição salva não pode ser usada por esta versão; ela é mantida</numerusform>
<numerusform>{n} exibições salvas não podem ser usadas por esta versão; elas são mantidas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} scans</source>
<translation>
<numerusform>{n} leitura</numerusform>
<numerusform>{n} leituras</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} sent</source>
<translation>
<numerusform>{n} enviada</numerusform>
<numerusform>{n} enviadas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} sheets</source>
<comment>of labels</comment>
<translation>
<numerusform>{n} folha</numerusform>
<numerusform>{n} folhas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} so far</source>
<translation>
<numerusform>{n} até agora</numerusform>
<numerusform>{n} até agora</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} stock entries</source>
<translation>
<numerusform>{n} registro de estoque</numerusform>
<numerusform>{n} registros de estoque</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} to come</source>
<translation>
<numerusform>{n} futuro</numerusform>
<numerusform>{n} futuros</numerusform>
</translation>
</message>
<message>
<source>{n} to go</source>
<translation>faltam {n}</translation>
</message>
<message numerus="yes">
<source>{n} today</source>
<translation>
<numerusform>{n} hoje</numerusform>
<numerusform>{n} hoje</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unconfirmed</source>
<translation>
<numerusform>{n} não confirmada</numerusform>
<numerusform>{n} não confirmadas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} undone</source>
<translation>
<numerusform>{n} desfeita</numerusform>
<numerusform>{n} desfeitas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unknown codes.</source>
<translation>
<numerusform>{n} código desconhecido.</numerusform>
<numerusform>{n} códigos desconhecidos.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unsent</source>
<translation>
<numerusform>{n} não enviada</numerusform>
<numerusform>{n} não enviadas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unsent changes are left out: the copy shows what the service last said.</source>
<translation>
<numerusform>{n} alteração não enviada fica de fora: a cópia mostra o que o serviço informou por último.</numerusform>
<numerusform>{n} alterações não enviadas ficam de fora: a cópia mostra o que o serviço informou por último.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unsent elsewhere</source>
<translation>
<numerusform>{n} não enviada em outras lojas</numerusform>
<numerusform>{n} não enviadas em outras lojas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} values are others now than you saw: they are left out.</source>
<translation>
<numerusform>{n} valor agora é outro, diferente do que você viu: ele fica de fora.</numerusform>
<numerusform>{n} valores agora são outros, diferentes do que você viu: eles ficam de fora.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} views added</source>
<translation>
<numerusform>{n} exibição adicionada</numerusform>
<numerusform>{n} exibições adicionadas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} views written to {file}</source>
<translation>
<numerusform>{n} exibição salva em {file}</numerusform>
<numerusform>{n} exibições salvas em {file}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} wait for earlier changes that need your decision</source>
<translation>
<numerusform>{n} aguarda uma alteração anterior que requer sua decisão</numerusform>
<numerusform>{n} aguardam alterações anteriores que requerem sua decisão</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} waiting</source>
<translation>
<numerusform>{n} aguardando</numerusform>
<numerusform>{n} aguardando</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} ways to use this service end soon, first: {what}, on {day}, {left}</source>
<translation>
<numerusform>{n} forma de usar este serviço termina em breve, primeiro: {what}, em {day}, {left}</numerusform>
<numerusform>{n} formas de usar este serviço terminam em breve, primeiro: {what}, em {day}, {left}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} wrong rows copied</source>
<translation>
<numerusform>{n} linha errada copiada</numerusform>
<numerusform>{n} linhas erradas copiadas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} {pet}, to ship on {day}.</source>
<translation>
<numerusform>Envio em {day}: {n} {pet}.</numerusform>
<numerusform>Envio em {day}: {n} {pet}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} {pet}, to ship today.</source>
<translation>
<numerusform>Envio hoje: {n} {pet}.</numerusform>
<numerusform>Envio hoje: {n} {pet}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} {pet}, without a ship date.</source>
<translation>
<numerusform>Sem data de envio: {n} {pet}.</numerusform>
<numerusform>Sem data de envio: {n} {pet}.</numerusform>
</translation>
</message>
<message>
<source>{n} {status}</source>
<translation>{status}: {n}</translation>
</message>
<message>
<source>{n}+</source>
<comment>at least so many</comment>
<translation>{n}+</translation>
</message>
<message>
<source>{old} becomes {new}</source>
<translation>{old} passa a {new}</translation>
</message>
<message>
<source>{page}: manual of Pet Store Desktop</source>
<translation>{page}: manual do Pet Store Desktop</translation>
</message>
<message>
<source>{paper}, {columns} × {rows}, {width} × {height} mm</source>
<translation>{paper}, {columns} × {rows}, {width} × {height} mm</translation>
</message>
<message>
<source>{parts}.</source>
<comment>a sentence from parts with commas between them</comment>
<translation>{parts}.</translation>
</message>
<message>
<source>{path} (of the service at {address})</source>
<translation>{path} (do serviço em {address})</translation>
</message>
<message>
<source>{path} cannot be opened or made; see that the folder is there and that you may read and write in it, or choose another one with --data-dir</source>
<translation>{path} não pode ser aberto nem criado; veja se a pasta existe e se você pode ler e gravar nela, ou escolha outra com --data-dir</translation>
</message>
<message>
<source>{path} holds no certificate; nothing was changed. Give the certificates of an authority in PEM form, with BEGIN CERTIFICATE in it</source>
<translation>{path} não contém nenhum certificado; nada foi alterado. Informe os certificados de uma autoridade no formato PEM, com BEGIN CERTIFICATE</translation>
</message>
<message>
<source>{pet} (#{id})</source>
<translation>{pet} (#{id})</translation>
</message>
<message>
<source>{pet} {count}</source>
<comment>what came of a pet: Koi (#1126) +6</comment>
<translation>{pet} {count}</translation>
</message>
<message>
<source>{pet}: {n}</source>
<translation>{pet}: {n}</translation>
</message>
<message numerus="yes">
<source>{pieces} in {n} lines</source>
<translation>
<numerusform>{pieces} em {n} linha</numerusform>
<numerusform>{pieces} em {n} linhas</numerusform>
</translation>
</message>
<message>
<source>{plan}: {limits}</source>
<translation>{plan}: {limits}</translation>
</message>
<message>
<source>{reading} · {more}</source>
<translation>{reading} · {more}</translation>
</message>
<message>
<source>{reason} Not saved. In its cell, correct it, or press Esc to discard.</source>
<translation>{reason} Não foi salvo. Corrija na célula ou tecle Esc para descartar.</translation>
</message>
<message numerus="yes">
<source>{records} still name the old id</source>
<translation>
<numerusform>{records} ainda indica o id antigo</numerusform>
<numerusform>{records} ainda indicam o id antigo</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{record} and {n} more changes</source>
<translation>
<numerusform>{record} e mais {n} alteração</numerusform>
<numerusform>{record} e mais {n} alterações</numerusform>
</translation>
</message>
<message>
<source>{record} has changed at the service; the new values are shown</source>
<translation>{record} mudou no serviço; os novos valores são mostrados</translation>
</message>
<message>
<source>{record} is no longer there</source>
<translation>{record} não existe mais</translation>
</message>
<message>
<source>{record} is unchanged, live at {time}</source>
<translation>{record} não mudou; conferido às {time}</translation>
</message>
<message>
<source>{record} was changed elsewhere; nothing was overwritten</source>
<translation>{record} foi alterado em outro lugar; nada foi sobrescrito</translation>
</message>
<message>
<source>{record} was deleted here ({time})</source>
<translation>{record} foi excluído aqui ({time})</translation>
</message>
<message>
<source>{record} was removed elsewhere (noticed {time})</source>
<translation>{record} foi removido em outro lugar (notado {time})</translation>
</message>
<message>
<source>{record}, {value}, {who}, {when}</source>
<translation>{record}, {value}, {who}, {when}</translation>
</message>
<message>
<source>{record}: cannot be ticked</source>
<translation>{record}: não pode ser marcado</translation>
</message>
<message>
<source>{record}: left out</source>
<translation>{record}: de fora</translation>
</message>
<message>
<source>{record}: the list of the service shows only a part of all, and not this one</source>
<translation>{record}: a lista do serviço mostra só uma parte de tudo, e este não está nela</translation>
</message>
<message>
<source>{record}: ticked</source>
<translation>{record}: marcado</translation>
</message>
<message>
<source>{record}: whether it was done is not known</source>
<translation>{record}: não se sabe se foi feito</translation>
</message>
<message>
<source>{record}: {change}</source>
<translation>{record}: {change}</translation>
</message>
<message>
<source>{record}: {things}</source>
<translation>{record}: {things}</translation>
</message>
<message>
<source>{requests}, until {time}</source>
<translation>{requests}, até {time}</translation>
</message>
<message>
<source>{rows} are in {file}</source>
<translation>{file} contém {rows}</translation>
</message>
<message>
<source>{rows}, looked up one by one</source>
<translation>{rows}, consultados um a um</translation>
</message>
<message>
<source>{rows}, reading: {progress}</source>
<translation>{rows}, lendo: {progress}</translation>
</message>
<message>
<source>{rows}, {age}</source>
<translation>{rows}, {age}</translation>
</message>
<message>
<source>{said}. {note}</source>
<translation>{said}. {note}</translation>
</message>
<message>
<source>{said}; the service names {other} instead.</source>
<translation>{said}; o serviço indica {other} no lugar.</translation>
</message>
<message>
<source>{said}; then {other} is used instead.</source>
<translation>{said}; então {other} é usado no lugar.</translation>
</message>
<message>
<source>{said}; {other} is used instead.</source>
<translation>{said}; {other} é usado no lugar.</translation>
</message>
<message>
<source>{sentence} {next}</source>
<comment>two sentences</comment>
<translation>{sentence} {next}</translation>
</message>
<message>
<source>{sentence} {source}</source>
<translation>{sentence} {source}</translation>
</message>
<message>
<source>{sentence}.</source>
<translation>{sentence}.</translation>
</message>
<message>
<source>{sent} of {n} sent</source>
<translation>{sent} de {n} enviadas</translation>
</message>
<message numerus="yes">
<source>{sent}, {n} refused for too many requests</source>
<translation>
<numerusform>{sent}, {n} recusada por excesso de requisições</numerusform>
<numerusform>{sent}, {n} recusadas por excesso de requisições</numerusform>
</translation>
</message>
<message>
<source>{shop} changes other fields of it, but not this one (File &gt; Operations &gt; Fields shows which).</source>
<translation>{shop} altera outros campos, mas não este (Arquivo &gt; Operações &gt; Campos mostra quais).</translation>
</message>
<message>
<source>{shop} counts its pets by status only</source>
<translation>{shop} conta seus pets só por status</translation>
</message>
<message>
<source>{shop} does not offer a list that is needed to tell.</source>
<translation>{shop} não oferece uma lista necessária para saber isso.</translation>
</message>
<message>
<source>{shop} does not offer this list</source>
<translation>{shop} não oferece esta lista</translation>
</message>
<message>
<source>{shop} does not offer this.</source>
<translation>{shop} não oferece isto.</translation>
</message>
<message>
<source>{shop} does not tell a field that is needed to tell.</source>
<translation>{shop} não informa um campo necessário para saber isso.</translation>
</message>
<message>
<source>{shop} has no such status. Choose one of its own in the cell.</source>
<translation>{shop} não tem este status. Escolha na célula um dos que existem lá.</translation>
</message>
<message>
<source>{shop} is forgotten</source>
<translation>{shop} foi esquecida</translation>
</message>
<message>
<source>{shop} needs attention</source>
<translation>{shop} requer atenção</translation>
</message>
<message>
<source>{shop} no longer offers this.</source>
<translation>{shop} não oferece mais isto.</translation>
</message>
<message>
<source>{shop} — Pet Store Desktop</source>
<translation>{shop} — Pet Store Desktop</translation>
</message>
<message>
<source>{shop}, a change {waits}</source>
<translation>{shop}, uma alteração {waits}</translation>
</message>
<message>
<source>{shop}, as of {time}</source>
<translation>{shop}, dados de {time}</translation>
</message>
<message>
<source>{shop}, live</source>
<translation>{shop}, ao vivo</translation>
</message>
<message>
<source>{shop}, never read</source>
<translation>{shop}, nunca lida</translation>
</message>
<message>
<source>{shop}, no answer for {time}</source>
<translation>{shop}, sem resposta há {time}</translation>
</message>
<message>
<source>{shop}, offline since {time}</source>
<translation>{shop}, offline desde {time}</translation>
</message>
<message>
<source>{shop}, printed {time}</source>
<translation>{shop}, impresso em {time}</translation>
</message>
<message>
<source>{shop}, {state}</source>
<translation>{shop}, {state}</translation>
</message>
<message>
<source>{shop}: a key is needed; unsent changes wait</source>
<translation>{shop}: falta uma chave; alterações não enviadas aguardam</translation>
</message>
<message>
<source>{shop}: sending has stopped; unsent changes are kept</source>
<translation>{shop}: o envio parou; as alterações não enviadas são mantidas</translation>
</message>
<message>
<source>{shop}: switch to another shop</source>
<translation>{shop}: trocar de loja</translation>
</message>
<message>
<source>{shop}: the file of your changes was damaged</source>
<translation>{shop}: o arquivo das suas alterações estava danificado</translation>
</message>
<message>
<source>{shop}: the key is banned for a while; unsent changes wait</source>
<translation>{shop}: a chave está suspensa por um tempo; alterações não enviadas aguardam</translation>
</message>
<message>
<source>{shop}: your last change could not be saved</source>
<translation>{shop}: não foi possível salvar sua última alteração</translation>
</message>
<message>
<source>{shop}: {changes} unsent.</source>
<translation>{shop}: {changes} a enviar.</translation>
</message>
<message numerus="yes">
<source>{shop}: {n} changes need attention</source>
<translation>
<numerusform>{shop}: {n} alteração requer atenção</numerusform>
<numerusform>{shop}: {n} alterações requerem atenção</numerusform>
</translation>
</message>
<message>
<source>{shown} of {all}</source>
<translation>{shown} de {all}</translation>
</message>
<message>
<source>{shown} of {total}</source>
<translation>{shown} de {total}</translation>
</message>
<message>
<source>{stays}. What you did before it can still be undone:</source>
<translation>{stays}. O que você fez antes disso ainda pode ser desfeito:</translation>
</message>
<message>
<source>{step}, {who}</source>
<translation>{step}, {who}</translation>
</message>
<message>
<source>{text} is not a value of this column.</source>
<translation>{text} não é um valor desta coluna.</translation>
</message>
<message>
<source>{text} is not a whole number.</source>
<translation>{text} não é um número inteiro.</translation>
</message>
<message>
<source>{text} is not {expected}.</source>
<translation>{text} não é {expected}.</translation>
</message>
<message numerus="yes">
<source>{then} of {n} operations can be used with this choice. No longer:</source>
<translation>
<numerusform>{then} de {n} operação pode ser usada com esta escolha. Deixam de funcionar:</numerusform>
<numerusform>{then} de {n} operações podem ser usadas com esta escolha. Deixam de funcionar:</numerusform>
</translation>
</message>
<message>
<source>{things} are matched by {how}. Empty cells change nothing.</source>
<translation>{things}: correspondência por {how}. Células vazias não alteram nada.</translation>
</message>
<message>
<source>{things} could not be read</source>
<translation>{things}: a leitura falhou</translation>
</message>
<message>
<source>{things} were searched; not all are here.</source>
<translation>A busca incluiu {things}; nem tudo está aqui.</translation>
</message>
<message>
<source>{time} (no time zone given)</source>
<translation>{time} (sem fuso horário)</translation>
</message>
<message>
<source>{time} tomorrow</source>
<translation>amanhã às {time}</translation>
</message>
<message>
<source>{time}: {count} in stock</source>
<translation>{time}: {count} em estoque</translation>
</message>
<message>
<source>{title}, {count}: {sum}</source>
<translation>{title}, {count}: {sum}</translation>
</message>
<message>
<source>{title}. {why}</source>
<translation>{title}. {why}</translation>
</message>
<message>
<source>{total}</source>
<comment>how many rows a list has</comment>
<translation>{total}</translation>
</message>
<message>
<source>{typed} is no value for a parameter; give it as NAME=VALUE</source>
<translation>{typed} não é um valor de parâmetro; informe como NOME=VALOR</translation>
</message>
<message>
<source>{typed}, {scans}</source>
<translation>{typed}, {scans}</translation>
</message>
<message>
<source>{url} answers.</source>
<translation>{url} responde.</translation>
</message>
<message>
<source>{url} itself was not reached.</source>
<translation>O endereço {url} em si não foi acessado.</translation>
</message>
<message>
<source>{used} of {limit}</source>
<translation>{used} de {limit}</translation>
</message>
<message>
<source>{value} is no day; give it as 2026-11-01</source>
<translation>{value} não é um dia; escreva como 2026-11-01</translation>
</message>
<message>
<source>{value} is no time; give 12h, 7d, 2w or 2026-11-20T08:00</source>
<translation>{value} não é um horário; escreva 12h, 7d, 2w ou 2026-11-20T08:00</translation>
</message>
<message>
<source>{value} is not a whole number; use digits only, such as 1000</source>
<translation>{value} não é um número inteiro; use só algarismos, por exemplo 1000</translation>
</message>
<message>
<source>{value} is too large; at most {most}</source>
<translation>{value} é grande demais; no máximo {most}</translation>
</message>
<message>
<source>{value} would allow no request; leave the option out if it is not known</source>
<translation>{value} não permitiria nenhuma requisição; omita a opção se o valor não for conhecido</translation>
</message>
<message>
<source>{value}, refused</source>
<translation>{value}, recusado</translation>
</message>
<message>
<source>{view} ({count})</source>
<translation>{view} ({count})</translation>
</message>
<message>
<source>{view} is in {file}</source>
<translation>{view} está em {file}</translation>
</message>
<message>
<source>{view}, changed</source>
<translation>{view} (exibição alterada)</translation>
</message>
<message>
<source>{weekday} {day}</source>
<translation>{weekday} {day}</translation>
</message>
<message>
<source>{weekday} {day}</source>
<comment>Mon 16</comment>
<translation>{weekday} {day}</translation>
</message>
<message>
<source>{what} (see {program} --help)</source>
<translation>{what} (veja {program} --help)</translation>
</message>
<message>
<source>{what} ({source})</source>
<translation>{what} ({source})</translation>
</message>
<message>
<source>{what} Nothing was written.</source>
<translation>{what} Nada foi gravado.</translation>
</message>
<message>
<source>{what} The program chooses the id: this service does not.</source>
<translation>{what} Quem escolhe o id é o programa, não este serviço.</translation>
</message>
<message>
<source>{what} The program chooses the ids: this service does not.</source>
<translation>{what} Quem escolhe os ids é o programa, não este serviço.</translation>
</message>
<message>
<source>{what} ends on {day}, {left}</source>
<translation>{what} termina em {day}, {left}</translation>
</message>
<message>
<source>{what} ends on {day}, {left}; {other} is used instead</source>
<translation>{what} termina em {day}, {left}; {other} é usado no lugar</translation>
</message>
<message>
<source>{what} is complete.</source>
<translation>{what} está concluído.</translation>
</message>
<message>
<source>{what} is complete. Its ship date is {day}.</source>
<translation>{what} está concluído. A data de envio é {day}.</translation>
</message>
<message>
<source>{what} is due on {day}. It is not fulfilled yet.</source>
<translation>{what} tem envio previsto para {day}. Ainda não foi atendido.</translation>
</message>
<message>
<source>{what} is due today. It is not fulfilled yet.</source>
<translation>{what} tem envio previsto para hoje. Ainda não foi atendido.</translation>
</message>
<message>
<source>{what} is due tomorrow. It is not fulfilled yet.</source>
<translation>{what} tem envio previsto para amanhã. Ainda não foi atendido.</translation>
</message>
<message>
<source>{what} is known, but the service does not give its state.</source>
<translation>{what} está registrado, mas o serviço não informa a situação.</translation>
</message>
<message>
<source>{what} is not fulfilled yet. The service gives no ship date.</source>
<translation>{what} ainda não foi atendido. O serviço não informa a data de envio.</translation>
</message>
<message>
<source>{what} is {said}, says the service.</source>
<translation>{what} está {said}, segundo o serviço.</translation>
</message>
<message>
<source>{what} was due on {day}. It is not fulfilled yet and is {late}.</source>
<translation>{what} tinha envio previsto para {day}. Ainda não foi atendido e está com {late}.</translation>
</message>
<message>
<source>{what}, saved on this computer</source>
<translation>Salvo neste computador: {what}</translation>
</message>
<message>
<source>{what}, sent</source>
<translation>Enviado: {what}</translation>
</message>
<message>
<source>{what}, {pets}</source>
<translation>{what}, {pets}</translation>
</message>
<message>
<source>{what}, {pets}, begun {time}</source>
<translation>{what}, {pets}, início: {time}</translation>
</message>
<message>
<source>{what}, {pets}, closed {time}</source>
<translation>{what}, {pets}, fim: {time}</translation>
</message>
<message>
<source>{what}: from {before} to {after}</source>
<translation>{what}: de {before} para {after}</translation>
</message>
<message>
<source>{what}: {before}, then {after}</source>
<translation>{what}: {before}, depois {after}</translation>
</message>
<message>
<source>{what}: {value}</source>
<translation>{what}: {value}</translation>
</message>
<message>
<source>{which}: {why}</source>
<translation>{which}: {why}</translation>
</message>
<message>
<source>{why} Until then this filter hides nothing.</source>
<translation>{why} Enquanto isso, este filtro não oculta nada.</translation>
</message>
<message>
<source>{words} New: {news}</source>
<translation>{words} Novidades: {news}</translation>
</message>
<message>
<source>{words} {status}</source>
<comment>a status in words and its number</comment>
<translation>{words} {status}</translation>
</message>
<message>
<source>{words}, {time}</source>
<translation>{words}, {time}</translation>
</message>
<message>
<source>“{text}”</source>
<translation>“{text}”</translation>
</message>
<message>
<source>“{words}”</source>
<translation>“{words}”</translation>
</message>
<message numerus="yes">
<source>−{n} pieces</source>
<translation>
<numerusform>−{n} unidade</numerusform>
<numerusform>−{n} unidades</numerusform>
</translation>
</message>
<message>
<source>≈ does not count others with the same key.</source>
<translation>≈ não conta outros programas com a mesma chave.</translation>
</message>
<message numerus="yes">
<source>≈ {n} days left</source>
<translation>
<numerusform>≈ {n} dia restante</numerusform>
<numerusform>≈ {n} dias restantes</numerusform>
</translation>
</message>
</context>
</TS>
