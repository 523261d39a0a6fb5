<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ja" sourcelanguage="en">
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
<translation>!コイ  含まない      =コイ  完全一致      "赤い コイ"</translation>
</message>
<message>
<source>#1234  by its id</source>
<translation>#1234  IDで指定</translation>
</message>
<message>
<source>&amp;About Pet Store Desktop</source>
<translation>Pet Store Desktopについて(&amp;A)</translation>
</message>
<message>
<source>&amp;Activity</source>
<translation>アクティビティ(&amp;A)</translation>
</message>
<message>
<source>&amp;Back</source>
<translation>戻る(&amp;B)</translation>
</message>
<message>
<source>&amp;Categories</source>
<translation>カテゴリ(&amp;C)</translation>
</message>
<message>
<source>&amp;Columns</source>
<translation>列(&amp;C)</translation>
</message>
<message>
<source>&amp;Compare two days</source>
<translation>2つの日を比較(&amp;C)</translation>
</message>
<message>
<source>&amp;Copy</source>
<translation>コピー(&amp;C)</translation>
</message>
<message>
<source>&amp;Copy as picture and numbers</source>
<translation>画像と数値をコピー(&amp;C)</translation>
</message>
<message>
<source>&amp;Copy diagnostics</source>
<translation>診断情報をコピー(&amp;C)</translation>
</message>
<message>
<source>&amp;Delete</source>
<translation>削除(&amp;D)</translation>
</message>
<message>
<source>&amp;Delete this view</source>
<translation>このビューを削除(&amp;D)</translation>
</message>
<message>
<source>&amp;Details</source>
<translation>詳細(&amp;D)</translation>
</message>
<message>
<source>&amp;Edit</source>
<translation>編集(&amp;E)</translation>
</message>
<message>
<source>&amp;Edit value</source>
<translation>値を編集(&amp;E)</translation>
</message>
<message>
<source>&amp;Edit…</source>
<translation>編集(&amp;E)…</translation>
</message>
<message>
<source>&amp;Export this list…</source>
<translation>この一覧をエクスポート(&amp;E)…</translation>
</message>
<message>
<source>&amp;Export views…</source>
<translation>ビューをエクスポート(&amp;E)…</translation>
</message>
<message>
<source>&amp;File</source>
<translation>ファイル(&amp;F)</translation>
</message>
<message>
<source>&amp;Filter</source>
<translation>フィルター(&amp;F)</translation>
</message>
<message>
<source>&amp;Fit columns</source>
<translation>列幅を合わせる(&amp;F)</translation>
</message>
<message>
<source>&amp;Forward</source>
<translation>進む(&amp;F)</translation>
</message>
<message>
<source>&amp;Go to its pet</source>
<translation>ペットへ移動(&amp;G)</translation>
</message>
<message>
<source>&amp;Help</source>
<translation>ヘルプ(&amp;H)</translation>
</message>
<message>
<source>&amp;History</source>
<translation>履歴(&amp;H)</translation>
</message>
<message>
<source>&amp;Import views…</source>
<translation>ビューをインポート(&amp;I)…</translation>
</message>
<message>
<source>&amp;Inventory</source>
<translation>在庫(&amp;I)</translation>
</message>
<message>
<source>&amp;Keys and marks</source>
<translation>キー操作とマーク(&amp;K)</translation>
</message>
<message>
<source>&amp;Labels of what was counted…</source>
<translation>カウントした分のラベル(&amp;L)…</translation>
</message>
<message>
<source>&amp;Leave out or include</source>
<translation>除外または含める(&amp;L)</translation>
</message>
<message>
<source>&amp;Manual</source>
<translation>マニュアル(&amp;M)</translation>
</message>
<message>
<source>&amp;Mark complete</source>
<translation>完了にする(&amp;M)</translation>
</message>
<message>
<source>&amp;Minimum stock…</source>
<translation>最低在庫(&amp;M)…</translation>
</message>
<message>
<source>&amp;Next tab</source>
<translation>次のタブ(&amp;N)</translation>
</message>
<message>
<source>&amp;Note…</source>
<translation>備考(&amp;N)…</translation>
</message>
<message>
<source>&amp;Open this count again</source>
<translation>この棚卸を再開(&amp;O)</translation>
</message>
<message>
<source>&amp;Operations…</source>
<translation>サービスの操作(&amp;O)…</translation>
</message>
<message>
<source>&amp;Orders</source>
<translation>注文(&amp;O)</translation>
</message>
<message>
<source>&amp;Paste</source>
<translation>貼り付け(&amp;P)</translation>
</message>
<message>
<source>&amp;Pets</source>
<translation>ペット(&amp;P)</translation>
</message>
<message>
<source>&amp;Put away</source>
<translation>非表示(&amp;P)</translation>
</message>
<message>
<source>&amp;Quit</source>
<translation>終了(&amp;Q)</translation>
</message>
<message>
<source>&amp;Redo</source>
<translation>やり直し(&amp;R)</translation>
</message>
<message>
<source>&amp;Redo {what}</source>
<translation>{what}をやり直す(&amp;R)</translation>
</message>
<message>
<source>&amp;Rename this view…</source>
<translation>このビューの名前を変更(&amp;R)…</translation>
</message>
<message>
<source>&amp;Report…</source>
<translation>レポート(&amp;R)…</translation>
</message>
<message>
<source>&amp;Reset columns</source>
<translation>列を初期状態に戻す(&amp;R)</translation>
</message>
<message>
<source>&amp;Save view…</source>
<translation>ビューを保存(&amp;S)…</translation>
</message>
<message>
<source>&amp;Shop</source>
<translation>ショップ(&amp;S)</translation>
</message>
<message>
<source>&amp;Show them</source>
<translation>表示(&amp;S)</translation>
</message>
<message>
<source>&amp;Show these rows</source>
<translation>該当する行を表示(&amp;S)</translation>
</message>
<message>
<source>&amp;Today</source>
<translation>今日(&amp;T)</translation>
</message>
<message>
<source>&amp;Undo</source>
<translation>元に戻す(&amp;U)</translation>
</message>
<message>
<source>&amp;Undo {what}</source>
<translation>{what}を元に戻す(&amp;U)</translation>
</message>
<message>
<source>&amp;Undo…</source>
<translation>元に戻す(&amp;U)…</translation>
</message>
<message>
<source>&amp;View</source>
<translation>表示(&amp;V)</translation>
</message>
<message>
<source>(empty)</source>
<translation>（空）</translation>
</message>
<message>
<source>(no name)</source>
<translation>（名前なし）</translation>
</message>
<message>
<source>*</source>
<comment>marks a date without time zone</comment>
<translation>*</translation>
</message>
<message>
<source>+1 adds, −1 subtracts, 2 sets</source>
<translation>+1で加算、−1で減算、2で設定</translation>
</message>
<message>
<source>+12 adds, −3 subtracts, 40 or =40 sets</source>
<translation>+12で加算、−3で減算、40または=40で設定</translation>
</message>
<message>
<source>+N books in, -N out, and =N counts; N in digits only</source>
<translation>+N は入庫、-N は出庫、=N は棚卸です。N は数字だけで指定してください</translation>
</message>
<message numerus="yes">
<source>+{n} pieces</source>
<translation>
<numerusform>+{n}点</numerusform>
</translation>
</message>
<message>
<source>, </source>
<translation>、</translation>
</message>
<message>
<source>, </source>
<comment>between names</comment>
<translation>、</translation>
</message>
<message>
<source>, </source>
<comment>between parts of a line</comment>
<translation>、</translation>
</message>
<message>
<source>--yes would be refused: {why}</source>
<translation>--yesは拒否されます: {why}</translation>
</message>
<message>
<source>0 requests</source>
<translation>リクエスト0件</translation>
</message>
<message>
<source>1 or 2 requests each. Ctrl+Z undoes it; of a deleted order, only until it is sent.</source>
<translation>1件につき1、2回のリクエストです。Ctrl+Zで元に戻せます。削除した注文は、送信されるまでです。</translation>
</message>
<message>
<source>1 request</source>
<translation>リクエスト1件</translation>
</message>
<message>
<source>5   !5   10|12</source>
<translation>5   !5   10|12</translation>
</message>
<message>
<source>; </source>
<comment>between names that have commas</comment>
<translation>；</translation>
</message>
<message>
<source>=  empty      !=  not empty</source>
<translation>=  空      !=  空でない</translation>
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
<translation>{n}行目から始まる行のセルに終わりがないか、長すぎます。引用符が抜けている可能性があります。何もインポートしていません。</translation>
</message>
<message>
<source>A change belongs to the day on which it was first seen. What changed and changed back is not counted.</source>
<translation>変更は、最初に検出された日のものとして数えます。変わって元に戻ったものは数えません。</translation>
</message>
<message>
<source>A code is remembered when you scan it and choose its pet. Our own labels and ids need none of this.</source>
<translation>コードをスキャンしてペットを選ぶと、登録されます。このプログラムのラベルやIDは登録不要です。</translation>
</message>
<message>
<source>A damaged file was set aside: {file}.</source>
<translation>破損したファイルを別保管しました：{file}。</translation>
</message>
<message>
<source>A day, such as {example} or tomorrow; the time stays</source>
<translation>{example}や「明日」のような日付。時刻は変わりません</translation>
</message>
<message>
<source>A few words; may be empty.</source>
<translation>短い説明（省略可）。</translation>
</message>
<message>
<source>A field that is needed to tell is a guess by its name. Choose its name first (File &gt; Operations &gt; Fields).</source>
<translation>判定に必要な項目が、名前からの推測です。先に項目の名前を選んでください（ファイル &gt; サービスの操作 &gt; 項目）。</translation>
</message>
<message>
<source>A file of the program</source>
<translation>プログラムのファイル</translation>
</message>
<message>
<source>A file or an address, if the service publishes none.</source>
<translation>サービスが公開していない場合に、ファイルまたはアドレスを指定します。</translation>
</message>
<message>
<source>A file with certificates that are trusted for this shop beside the system’s.</source>
<translation>このショップで、システムの証明書に加えて信頼する証明書のファイル。</translation>
</message>
<message>
<source>A file, an address, or a profile’s name, such as rails. Empty: the one that the service publishes.</source>
<translation>ファイル、アドレス、またはプロファイルの名前（railsなど）。空欄にすると、サービスが公開しているものを使います。</translation>
</message>
<message>
<source>A key that you enter is held in memory for this run, and is in no file.</source>
<translation>入力したキーは、今回の起動中だけメモリーに保持し、ファイルには保存しません。</translation>
</message>
<message>
<source>A network folder can lose saved changes, and two computers can use the same files at once.</source>
<translation>ネットワークフォルダーでは、保存した変更が失われたり、2台のコンピューターが同じファイルを同時に使ったりするおそれがあります。</translation>
</message>
<message>
<source>A new pet has no stock entry yet: leave this cell empty.</source>
<translation>新規ペットにはまだ在庫データがありません。このセルは空にしてください。</translation>
</message>
<message>
<source>A pasted line was left out: {line}</source>
<translation>貼り付けた1行を除外しました：{line}</translation>
</message>
<message>
<source>A pause or a ban by the service stays until it is over.</source>
<translation>サービスによる一時停止や利用停止は、終わるまで続きます。</translation>
</message>
<message>
<source>A pet belongs to a category: add the first one here.</source>
<translation>ペットはカテゴリに属します。最初のカテゴリをここで追加してください。</translation>
</message>
<message>
<source>A proxy or a sign-in page may stand in between: open the address in a browser to see what answers.</source>
<translation>途中にプロキシやサインインページがある可能性があります。ブラウザーでアドレスを開いて、何が応答するか確認してください。</translation>
</message>
<message>
<source>A scan adds 1; a number and Enter sets how many. Ctrl+Z takes the last one back.</source>
<translation>スキャンするたびに1を加算します。数値とEnterで数量を指定します。Ctrl+Zで直前の操作を元に戻します。</translation>
</message>
<message>
<source>A scan adds 1; a number and Enter sets it.
The next scan commits.</source>
<translation>スキャンするたびに1を加算し、数値とEnterで設定します。
次のスキャンで確定します。</translation>
</message>
<message>
<source>A scanner works wherever you are: its pet’s stock opens for the number.</source>
<translation>スキャナーはどの画面でも使えます。そのペットの在庫数が入力できるようになります。</translation>
</message>
<message>
<source>A spreadsheet rounded this number. Format the column as text, and enter it again.</source>
<translation>表計算ソフトがこの数値を丸めています。列の書式を文字列にして、入力し直してください。</translation>
</message>
<message>
<source>A stock entry comes with its pet: add the pet.</source>
<translation>在庫データはペットと一緒に作成されます。ペットを追加してください。</translation>
</message>
<message>
<source>A stock is low when it is at or below its minimum; without one, nothing is ever low.</source>
<translation>在庫が最低在庫以下になると不足とみなします。最低在庫がなければ、不足になることはありません。</translation>
</message>
<message>
<source>A web page came back instead of data.</source>
<translation>データではなくWebページが返されました。</translation>
</message>
<message>
<source>A whole shop, kept on this computer: searched as you type, offline too.</source>
<translation>ショップ全体がこのコンピューターにあり、入力しながら検索できます。オフラインでも使えます。</translation>
</message>
<message>
<source>A window of its own opens, on a copy of {shop} as it is here. Nothing in it reaches the shop.</source>
<translation>今の{shop}の写しを使って、専用のウィンドウを開きます。そこでの操作はショップには届きません。</translation>
</message>
<message>
<source>About Pet Store Desktop</source>
<translation>Pet Store Desktopについて</translation>
</message>
<message>
<source>Activity</source>
<translation>アクティビティ</translation>
</message>
<message>
<source>Add a byte order mark, so that Excel reads UTF-8</source>
<translation>ExcelがUTF-8として読めるように、バイトオーダーマーク（BOM）を付ける</translation>
</message>
<message>
<source>Add a category</source>
<translation>カテゴリの追加</translation>
</message>
<message>
<source>Add a pet</source>
<translation>ペットの追加</translation>
</message>
<message>
<source>Add an order</source>
<translation>注文の追加</translation>
</message>
<message>
<source>Add category</source>
<translation>カテゴリを追加</translation>
</message>
<message>
<source>Add pets</source>
<translation>ペットを追加</translation>
</message>
<message numerus="yes">
<source>Add them</source>
<translation>
<numerusform>追加する</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Add them again</source>
<translation>
<numerusform>もう一度追加する</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Add {n}</source>
<translation>
<numerusform>{n}件を追加</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Add {n} pets</source>
<translation>
<numerusform>ペット{n}件を追加</numerusform>
</translation>
</message>
<message>
<source>Add {things}</source>
<translation>{things}を追加</translation>
</message>
<message>
<source>Adding categories</source>
<translation>カテゴリの追加</translation>
</message>
<message>
<source>Adding orders</source>
<translation>注文の追加</translation>
</message>
<message>
<source>Adding pets</source>
<translation>ペットの追加</translation>
</message>
<message>
<source>Address</source>
<translation>アドレス</translation>
</message>
<message>
<source>Address of the service</source>
<translation>サービスのアドレス</translation>
</message>
<message>
<source>After each code</source>
<translation>コードの後</translation>
</message>
<message>
<source>All</source>
<translation>すべて</translation>
</message>
<message>
<source>All categories</source>
<translation>すべてのカテゴリ</translation>
</message>
<message>
<source>All files (*)</source>
<translation>すべてのファイル (*)</translation>
</message>
<message>
<source>All in Activity</source>
<translation>アクティビティですべて表示</translation>
</message>
<message>
<source>All orders</source>
<translation>すべての注文</translation>
</message>
<message>
<source>All other settings and connections are used. The data of your shops is still here.</source>
<translation>他の設定と接続はすべて使われています。ショップのデータは残っています。</translation>
</message>
<message>
<source>All others are shown.</source>
<translation>他はすべて表示しています。</translation>
</message>
<message>
<source>All pets</source>
<translation>すべてのペット</translation>
</message>
<message>
<source>All sent, and undone since.</source>
<translation>すべて送信しましたが、その後元に戻しました。</translation>
</message>
<message>
<source>All stock</source>
<translation>すべての在庫</translation>
</message>
<message>
<source>All stock has a pet</source>
<translation>どの在庫にもペットがあります</translation>
</message>
<message>
<source>All this is in this file, and the same beside it as JSON:</source>
<translation>以上の内容は次のファイルにあり、同じ場所にJSON形式でも保存されています：</translation>
</message>
<message>
<source>All this is written to a file in {folder} first.</source>
<translation>その前に、以上の内容をすべて{folder}のファイルに書き出します。</translation>
</message>
<message>
<source>All times shown are this computer’s.</source>
<translation>表示される時刻は、すべてこのコンピューターのものです。</translation>
</message>
<message>
<source>All undone, never sent.</source>
<translation>すべて送信前に元に戻しました。</translation>
</message>
<message numerus="yes">
<source>All undone: {sent} after they were sent, {n} before.</source>
<translation>
<numerusform>すべて元に戻しました：送信後{sent}件、送信前{n}件。</numerusform>
</translation>
</message>
<message>
<source>All your changes there are sent.</source>
<translation>このショップでの変更はすべて送信済みです。</translation>
</message>
<message>
<source>All {things} were searched.</source>
<translation>{things}をすべて検索しました。</translation>
</message>
<message>
<source>All: {rows}</source>
<translation>すべて：{rows}</translation>
</message>
<message>
<source>Already has this value: costs nothing</source>
<translation>すでにこの値：リクエスト不要</translation>
</message>
<message>
<source>Amber</source>
<translation>こはく</translation>
</message>
<message>
<source>An order stays with its pet.</source>
<translation>注文のペットは変更できません。</translation>
</message>
<message>
<source>Animations</source>
<translation>アニメーション</translation>
</message>
<message>
<source>Another connection has this name; choose another.</source>
<translation>この名前の接続が他にあります。別の名前にしてください。</translation>
</message>
<message>
<source>Another value</source>
<translation>別の値</translation>
</message>
<message>
<source>Another window uses this data folder.</source>
<translation>別のウィンドウがこのデータフォルダーを使っています。</translation>
</message>
<message>
<source>Answer</source>
<translation>応答</translation>
</message>
<message>
<source>Any day</source>
<translation>すべての日</translation>
</message>
<message>
<source>Any status</source>
<translation>すべてのステータス</translation>
</message>
<message>
<source>As here: {limits}</source>
<translation>現在と同じ：{limits}</translation>
</message>
<message>
<source>As many as in stock</source>
<translation>在庫数と同じ枚数</translation>
</message>
<message>
<source>As many as received</source>
<translation>入荷数と同じ枚数</translation>
</message>
<message>
<source>As seen {time}</source>
<translation>{time}に読み取り</translation>
</message>
<message>
<source>Ask once a week</source>
<translation>週に一度確認する</translation>
</message>
<message>
<source>Ask the proxy’s administrator which certificate it needs.</source>
<translation>必要な証明書をプロキシの管理者に問い合わせてください。</translation>
</message>
<message>
<source>Ask the proxy’s administrator, or exclude this service (NO_PROXY).</source>
<translation>プロキシの管理者に問い合わせるか、このサービスを除外してください（NO_PROXY）。</translation>
</message>
<message>
<source>Ask the proxy’s administrator.</source>
<translation>プロキシの管理者に問い合わせてください。</translation>
</message>
<message>
<source>Ask the service’s provider for a newer one, or choose another document.</source>
<translation>サービスの提供元に新しいものを依頼するか、別のドキュメントを選んでください。</translation>
</message>
<message>
<source>Ask the service’s provider for the permission, or use another key.</source>
<translation>サービスの提供元に権限を依頼するか、別のキーを使ってください。</translation>
</message>
<message>
<source>Ask the service’s provider to allow it, or use another key.</source>
<translation>許可するようサービスの提供元に依頼するか、別のキーを使ってください。</translation>
</message>
<message>
<source>Ask the service’s provider to let this key read, or use another key.</source>
<translation>このキーでの読み取りを許可するようサービスの提供元に依頼するか、別のキーを使ってください。</translation>
</message>
<message>
<source>Ask the service’s provider.</source>
<translation>サービスの提供元に問い合わせてください。</translation>
</message>
<message>
<source>Ask the service’s provider. If it is a mistake, end the pause in the window: Shop &gt; Resume now. A key that resumes too early may be banned.</source>
<translation>サービスの提供元に問い合わせてください。誤りであれば、ウィンドウの「ショップ &gt; 今すぐ再開」で一時停止を終了してください。再開が早すぎると、キーが利用停止になることがあります。</translation>
</message>
<message>
<source>Asking the service…</source>
<translation>サービスに問い合わせ中…</translation>
</message>
<message numerus="yes">
<source>At least {n}: there may be more that were not read</source>
<translation>
<numerusform>少なくとも {n} 件: 読み込まれていないものがほかにある可能性があります</numerusform>
</translation>
</message>
<message>
<source>At most {n} cells can be changed at once.</source>
<translation>一度に変更できるセルは{n}個までです。</translation>
</message>
<message>
<source>At this address the service has no such list: {said}.</source>
<translation>このアドレスのサービスに、この一覧はありません：{said}。</translation>
</message>
<message>
<source>Automatic</source>
<translation>自動</translation>
</message>
<message>
<source>Automatic ({endpoint})</source>
<translation>自動（{endpoint}）</translation>
</message>
<message>
<source>Automatic ({name})</source>
<translation>自動（{name}）</translation>
</message>
<message>
<source>Back</source>
<translation>戻る</translation>
</message>
<message>
<source>Bar code scanner</source>
<translation>バーコードスキャナー</translation>
</message>
<message>
<source>Bar codes</source>
<translation>バーコード</translation>
</message>
<message>
<source>Bar codes (*.json)</source>
<translation>バーコード (*.json)</translation>
</message>
<message>
<source>Bar codes…</source>
<translation>バーコード…</translation>
</message>
<message>
<source>Bar |</source>
<translation>縦棒 |</translation>
</message>
<message>
<source>Bars of {width} mm: hard to scan. Choose QR, or larger labels.</source>
<translation>バーの幅 {width} mm：読み取りにくい大きさです。QRか、大きいラベルを選んでください。</translation>
</message>
<message>
<source>Bars of {width} mm: safe for hand scanners</source>
<translation>バーの幅 {width} mm：ハンドスキャナーで確実に読み取れます</translation>
</message>
<message>
<source>Batch</source>
<translation>一括変更</translation>
</message>
<message>
<source>Beep</source>
<translation>ビープ音</translation>
</message>
<message>
<source>Before</source>
<translation>変更前</translation>
</message>
<message>
<source>Before each code</source>
<translation>コードの前</translation>
</message>
<message>
<source>Before: {day}</source>
<translation>開始前：{day}</translation>
</message>
<message>
<source>Begun {began}, closed {ended}.</source>
<translation>{began}開始、{ended}終了。</translation>
</message>
<message>
<source>Begun {time}.</source>
<translation>{time}開始。</translation>
</message>
<message>
<source>Below zero</source>
<translation>マイナス在庫</translation>
</message>
<message>
<source>Big5, Chinese</source>
<translation>中国語（Big5）</translation>
</message>
<message>
<source>Blind count</source>
<translation>ブラインド棚卸</translation>
</message>
<message>
<source>Blue</source>
<translation>青</translation>
</message>
<message>
<source>Book</source>
<translation>在庫に反映</translation>
</message>
<message>
<source>Book the count</source>
<translation>棚卸を在庫に反映</translation>
</message>
<message>
<source>Book the count: {what}</source>
<translation>棚卸を在庫に反映：{what}</translation>
</message>
<message numerus="yes">
<source>Book {n} lines</source>
<translation>
<numerusform>{n}行を在庫に反映</numerusform>
</translation>
</message>
<message>
<source>Booked</source>
<translation>反映数</translation>
</message>
<message>
<source>Booked in or out</source>
<translation>入出庫数</translation>
</message>
<message>
<source>Browse…</source>
<translation>参照…</translation>
</message>
<message>
<source>Built with</source>
<translation>作成に使ったもの</translation>
</message>
<message>
<source>By</source>
<translation>変更元</translation>
</message>
<message>
<source>C&amp;hanges</source>
<translation>変更(&amp;H)</translation>
</message>
<message>
<source>C&amp;heck the connection…</source>
<translation>接続をチェック(&amp;H)…</translation>
</message>
<message>
<source>C&amp;hoose a view…</source>
<translation>ビューを選択(&amp;H)…</translation>
</message>
<message>
<source>C&amp;lear filter</source>
<translation>フィルターをクリア(&amp;L)</translation>
</message>
<message>
<source>CA file (optional)</source>
<translation>CAファイル（省略可）</translation>
</message>
<message>
<source>Cancel</source>
<translation>キャンセル</translation>
</message>
<message>
<source>Cancel an order</source>
<translation>注文のキャンセル</translation>
</message>
<message>
<source>Cancel or&amp;der…</source>
<translation>注文をキャンセル(&amp;D)…</translation>
</message>
<message>
<source>Cancelling orders</source>
<translation>注文のキャンセル</translation>
</message>
<message>
<source>Cannot be redone: {what} ({why})</source>
<translation>やり直せません：{what}（{why}）</translation>
</message>
<message>
<source>Cannot be undone: {what} ({why})</source>
<translation>元に戻せません：{what}（{why}）</translation>
</message>
<message>
<source>Categories</source>
<translation>カテゴリ</translation>
</message>
<message>
<source>Categories changed today</source>
<translation>今日変更されたカテゴリ</translation>
</message>
<message>
<source>Categories that need attention</source>
<translation>要対応のカテゴリ</translation>
</message>
<message>
<source>Category</source>
<translation>カテゴリ</translation>
</message>
<message>
<source>Category id</source>
<translation>カテゴリID</translation>
</message>
<message>
<source>Certificate</source>
<translation>証明書</translation>
</message>
<message>
<source>Certificates</source>
<translation>証明書</translation>
</message>
<message>
<source>Certificates (*.pem *.crt *.cer)</source>
<translation>証明書 (*.pem *.crt *.cer)</translation>
</message>
<message>
<source>Certificates to trust, if your company signs its own.</source>
<translation>会社独自の認証局を使っている場合に、信頼する証明書を指定します。</translation>
</message>
<message>
<source>Change</source>
<translation>変更</translation>
</message>
<message>
<source>Change &amp;key…</source>
<translation>キーを変更(&amp;K)…</translation>
</message>
<message>
<source>Change a category</source>
<translation>カテゴリの変更</translation>
</message>
<message>
<source>Change a pet</source>
<translation>ペットの変更</translation>
</message>
<message>
<source>Change an order</source>
<translation>注文の変更</translation>
</message>
<message>
<source>Change it and send it again, or discard it.</source>
<translation>変更して再送信するか、破棄してください。</translation>
</message>
<message>
<source>Change key…</source>
<translation>キーを変更…</translation>
</message>
<message>
<source>Change stock</source>
<translation>在庫の変更</translation>
</message>
<message>
<source>Change the category of {things}</source>
<translation>{things}のカテゴリを変更</translation>
</message>
<message>
<source>Change the description of {things}</source>
<translation>{things}の説明を変更</translation>
</message>
<message>
<source>Change the line, or choose another profile. The manual says what one may say.</source>
<translation>その行を直すか、別のプロファイルを選んでください。書ける内容はマニュアルにあります。</translation>
</message>
<message>
<source>Change the quantity of {things}</source>
<translation>{things}の数量を変更</translation>
</message>
<message>
<source>Change the ship date of {things}</source>
<translation>{things}の発送日を変更</translation>
</message>
<message>
<source>Change the state of {things}</source>
<translation>{things}の状態を変更</translation>
</message>
<message>
<source>Change the status of {things}</source>
<translation>{things}のステータスを変更</translation>
</message>
<message>
<source>Change the stock of {things}</source>
<translation>{things}の在庫数を変更</translation>
</message>
<message>
<source>Change this size…</source>
<translation>このサイズを変更…</translation>
</message>
<message numerus="yes">
<source>Change {n}</source>
<translation>
<numerusform>{n}件を変更</numerusform>
</translation>
</message>
<message>
<source>Change {things}</source>
<translation>{things}を変更</translation>
</message>
<message>
<source>Changed about when it was counted: recount or decide</source>
<translation>カウントの前後に変更：数え直すか、判断してください</translation>
</message>
<message>
<source>Changed between {since} and {time}</source>
<translation>{since}から{time}の間に変更</translation>
</message>
<message>
<source>Changed elsewhere meanwhile: {theirs}. Nothing was overwritten.</source>
<translation>この間に外部で変更されました：{theirs}。上書きはしていません。</translation>
</message>
<message>
<source>Changed meanwhile: left out</source>
<translation>この間に変更：除外</translation>
</message>
<message>
<source>Changed on this computer since it was counted: recount or decide</source>
<translation>カウント後にこのコンピューターで変更：数え直すか、判断してください</translation>
</message>
<message>
<source>Changed on this computer since: recount or decide</source>
<translation>その後このコンピューターで変更：数え直すか、判断してください</translation>
</message>
<message>
<source>Changed today</source>
<translation>今日変更</translation>
</message>
<message>
<source>Changed today</source>
<comment>a record</comment>
<translation>今日変更</translation>
</message>
<message>
<source>Changes</source>
<translation>変更</translation>
</message>
<message>
<source>Changes between the two moments</source>
<translation>2つの時点の間の変更</translation>
</message>
<message>
<source>Changes from {then} to {now}</source>
<translation>{then}から{now}までの変更</translation>
</message>
<message>
<source>Changes of this record: its name or id</source>
<translation>このレコードの変更：名前またはID</translation>
</message>
<message>
<source>Changes wait for the old address; send or discard them first.</source>
<translation>以前のアドレスへの送信待ちの変更があります。先に送信するか破棄してください。</translation>
</message>
<message>
<source>Changes wait: the rest of today’s requests is kept for you</source>
<translation>変更は待機中です：今日の残りリクエストは手動操作用に確保しています</translation>
</message>
<message>
<source>Changing categories</source>
<translation>カテゴリの変更</translation>
</message>
<message>
<source>Changing orders</source>
<translation>注文の変更</translation>
</message>
<message>
<source>Changing pets</source>
<translation>ペットの変更</translation>
</message>
<message>
<source>Changing stock</source>
<translation>在庫の変更</translation>
</message>
<message>
<source>Check &amp;live</source>
<translation>最新の値を確認(&amp;L)</translation>
</message>
<message>
<source>Check again</source>
<translation>もう一度チェック</translation>
</message>
<message>
<source>Check again after that.</source>
<translation>その後でもう一度チェックしてください。</translation>
</message>
<message>
<source>Check its path or address, or leave it out.</source>
<translation>パスまたはアドレスを確認するか、指定を外してください。</translation>
</message>
<message>
<source>Check its permissions.</source>
<translation>アクセス権を確認してください。</translation>
</message>
<message>
<source>Check live</source>
<translation>最新の値を確認</translation>
</message>
<message>
<source>Check that the keyring runs and is unlocked, then forget the connection again.</source>
<translation>キーリングが動作していてロックが解除されているか確認し、もう一度接続の登録を解除してください。</translation>
</message>
<message>
<source>Check the address and its path (it often ends in /v1). If the service has other paths, add its document, or choose what it is built with.</source>
<translation>アドレスとパスを確認してください（末尾が/v1のことがよくあります）。パスが異なるサービスの場合は、ドキュメントを追加するか、作成に使ったものを選んでください。</translation>
</message>
<message>
<source>Check the address and its path, or ask the service’s provider for the new one.</source>
<translation>アドレスとパスを確認するか、新しいアドレスをサービスの提供元に問い合わせてください。</translation>
</message>
<message>
<source>Check the address and its path, or ask the service’s provider.</source>
<translation>アドレスとパスを確認するか、サービスの提供元に問い合わせてください。</translation>
</message>
<message>
<source>Check the address and its path.</source>
<translation>アドレスとパスを確認してください。</translation>
</message>
<message>
<source>Check the address and its path: this may be another service.</source>
<translation>アドレスとパスを確認してください。別のサービスの可能性があります。</translation>
</message>
<message>
<source>Check the address and the document in the connection’s settings.</source>
<translation>アドレスと、接続設定のドキュメントを確認してください。</translation>
</message>
<message>
<source>Check the address, and what the document in the connection’s settings says about this list.</source>
<translation>アドレスと、接続設定のドキュメントにあるこの一覧の記述を確認してください。</translation>
</message>
<message>
<source>Check the address, or choose another document.</source>
<translation>アドレスを確認するか、別のドキュメントを選んでください。</translation>
</message>
<message>
<source>Check the address.</source>
<translation>アドレスを確認してください。</translation>
</message>
<message>
<source>Check the address: it must have the name that the certificate is for.</source>
<translation>アドレスを確認してください。証明書と同じ名前でなければなりません。</translation>
</message>
<message>
<source>Check the address; a name inside a company may need its network first.</source>
<translation>アドレスを確認してください。社内の名前の場合は、先に社内ネットワークへの接続が必要なことがあります。</translation>
</message>
<message>
<source>Check the address; the service may be down.</source>
<translation>アドレスを確認してください。サービスが停止している可能性もあります。</translation>
</message>
<message>
<source>Check the connection to {shop}</source>
<translation>{shop}への接続をチェック</translation>
</message>
<message>
<source>Check the disk and restart the program. Make the last change again only if it is missing then.</source>
<translation>ディスクを確認し、プログラムを再起動してください。最後の変更は、再起動後になくなっている場合だけ、もう一度行ってください。</translation>
</message>
<message>
<source>Check the disk, then restart the program.</source>
<translation>ディスクを確認して、プログラムを再起動してください。</translation>
</message>
<message>
<source>Check the disk, then try again.</source>
<translation>ディスクを確認して、もう一度試してください。</translation>
</message>
<message>
<source>Check the document, or choose another one.</source>
<translation>ドキュメントを確認するか、別のものを選んでください。</translation>
</message>
<message>
<source>Check the keyring’s own program, then enter the key again.</source>
<translation>キーリングのプログラムを確認して、キーをもう一度入力してください。</translation>
</message>
<message>
<source>Check the network, or a VPN that may be needed.</source>
<translation>ネットワークを確認してください。VPNが必要な場合もあります。</translation>
</message>
<message>
<source>Check the path of the address, or ask the service’s provider for the right one.</source>
<translation>アドレスのパスを確認するか、正しいパスをサービスの提供元に問い合わせてください。</translation>
</message>
<message>
<source>Check the permissions of its folder, then restart the program.</source>
<translation>フォルダーのアクセス権を確認して、プログラムを再起動してください。</translation>
</message>
<message>
<source>Check the permissions of its folder, then try again.</source>
<translation>フォルダーのアクセス権を確認して、もう一度試してください。</translation>
</message>
<message>
<source>Check the port in the address.</source>
<translation>アドレスのポートを確認してください。</translation>
</message>
<message>
<source>Check the port in the address; the key is never sent unencrypted.</source>
<translation>アドレスのポートを確認してください。キーを暗号化せずに送信することはありません。</translation>
</message>
<message>
<source>Check the port; a firewall can do this as well.</source>
<translation>ポートを確認してください。ファイアウォールが原因の場合もあります。</translation>
</message>
<message>
<source>Check the proxy’s address and the network.</source>
<translation>プロキシのアドレスとネットワークを確認してください。</translation>
</message>
<message>
<source>Check the record live.</source>
<translation>レコードの最新の値を確認してください。</translation>
</message>
<message>
<source>Check this computer’s clock. If it is right, ask the service’s provider.</source>
<translation>このコンピューターの時計を確認してください。合っていれば、サービスの提供元に問い合わせてください。</translation>
</message>
<message>
<source>Check this computer’s clock. If it is right, the service’s provider must renew the certificate.</source>
<translation>このコンピューターの時計を確認してください。合っていれば、サービスの提供元による証明書の更新が必要です。</translation>
</message>
<message>
<source>Check whether another window asks for its password, then check again.</source>
<translation>別のウィンドウでパスワードを求められていないか確認して、もう一度チェックしてください。</translation>
</message>
<message>
<source>Check whether another window asks for its password, then enter the key again.</source>
<translation>別のウィンドウでパスワードを求められていないか確認して、キーをもう一度入力してください。</translation>
</message>
<message>
<source>Check whether the disk is full or its folder is write-protected.</source>
<translation>ディスクがいっぱいでないか、フォルダーが書き込み禁止でないか確認してください。</translation>
</message>
<message>
<source>Check whether the disk is full, then restart the program. The earlier version still works.</source>
<translation>ディスクがいっぱいでないか確認し、プログラムを再起動してください。以前のバージョンは引き続き使えます。</translation>
</message>
<message>
<source>Check your last changes, and make the missing ones again.</source>
<translation>最近の変更を確認し、なくなったものをもう一度行ってください。</translation>
</message>
<message>
<source>Choose QR, or larger labels.</source>
<translation>QRか、大きいラベルを選んでください。</translation>
</message>
<message>
<source>Choose a category</source>
<translation>カテゴリを選択</translation>
</message>
<message>
<source>Choose a category.</source>
<translation>カテゴリを選んでください。</translation>
</message>
<message>
<source>Choose a day</source>
<translation>日付を選択</translation>
</message>
<message>
<source>Choose a document with those for pets, categories, orders and stock alone.</source>
<translation>ペット・カテゴリ・注文・在庫の操作だけを含むドキュメントを選んでください。</translation>
</message>
<message>
<source>Choose a file from “Export views”. If it is incomplete, export or copy it again.</source>
<translation>「ビューのエクスポート」で作成したファイルを選んでください。不完全な場合は、エクスポートまたはコピーし直してください。</translation>
</message>
<message>
<source>Choose a file from “Export” of “Bar codes”. If it is incomplete, export or copy it again.</source>
<translation>「バーコード」の「エクスポート」で作成したファイルを選んでください。不完全な場合は、エクスポートまたはコピーし直してください。</translation>
</message>
<message>
<source>Choose a file in PEM form, with BEGIN CERTIFICATE in it.</source>
<translation>BEGIN CERTIFICATEを含むPEM形式のファイルを選んでください。</translation>
</message>
<message>
<source>Choose a file with only the certificates of the authority that the service needs.</source>
<translation>サービスに必要な認証局の証明書だけを含むファイルを選んでください。</translation>
</message>
<message>
<source>Choose a file, or move this away, then try again.</source>
<translation>ファイルを選ぶか、これを別の場所に移して、もう一度試してください。</translation>
</message>
<message>
<source>Choose a file…</source>
<translation>ファイルを選択…</translation>
</message>
<message>
<source>Choose a pet.</source>
<translation>ペットを選んでください。</translation>
</message>
<message>
<source>Choose a row first.</source>
<translation>先に行を選んでください。</translation>
</message>
<message>
<source>Choose another document, or connect without one.</source>
<translation>別のドキュメントを選ぶか、ドキュメントなしで接続してください。</translation>
</message>
<message>
<source>Choose another document.</source>
<translation>別のドキュメントを選んでください。</translation>
</message>
<message>
<source>Choose another file, or put it back.</source>
<translation>別のファイルを選ぶか、元の場所に戻してください。</translation>
</message>
<message>
<source>Choose another file…</source>
<translation>別のファイルを選択…</translation>
</message>
<message>
<source>Choose another folder, or create this one.</source>
<translation>別のフォルダーを選ぶか、このフォルダーを作成してください。</translation>
</message>
<message>
<source>Choose another place…</source>
<translation>別の場所を選択…</translation>
</message>
<message>
<source>Choose its pet</source>
<translation>ペットを選択</translation>
</message>
<message>
<source>Choose larger labels.</source>
<translation>大きいラベルを選んでください。</translation>
</message>
<message>
<source>Choose open or complete.</source>
<translation>未完了または完了を選んでください。</translation>
</message>
<message>
<source>Choose pets</source>
<translation>ペットを選択</translation>
</message>
<message>
<source>Choose the OpenAPI document</source>
<translation>OpenAPIドキュメントの選択</translation>
</message>
<message>
<source>Choose the days first.</source>
<translation>先に対象期間を選んでください。</translation>
</message>
<message>
<source>Choose the file with certificates</source>
<translation>証明書ファイルの選択</translation>
</message>
<message>
<source>Choose the plan that the program counts by. The demo shop keeps the plan it was started with.</source>
<translation>プログラムがリクエストを数える基準となるプランを選びます。デモショップは起動時のプランのままです。</translation>
</message>
<message>
<source>Choose your plan in the connection’s settings. Until then the program sends one request at a time.</source>
<translation>接続設定でプランを選んでください。それまで、プログラムはリクエストを1件ずつ送信します。</translation>
</message>
<message>
<source>Choose…</source>
<translation>選択…</translation>
</message>
<message>
<source>Chosen pets</source>
<translation>選択したペット</translation>
</message>
<message numerus="yes">
<source>Chosen; {n} more fields of this record to choose</source>
<translation>
<numerusform>選択済み。このレコードの残り{n}項目も選択してください</numerusform>
</translation>
</message>
<message>
<source>Clear all</source>
<translation>すべてクリア</translation>
</message>
<message>
<source>Clear all filters</source>
<translation>すべてのフィルターをクリア</translation>
</message>
<message>
<source>Clear filter</source>
<translation>フィルターをクリア</translation>
</message>
<message>
<source>Click a place on the sheet to begin there.</source>
<translation>シート上の位置をクリックすると、そこから始めます。</translation>
</message>
<message>
<source>Clock</source>
<translation>時計</translation>
</message>
<message>
<source>Clocks differ by {length}</source>
<translation>時計のずれ：{length}</translation>
</message>
<message>
<source>Close</source>
<translation>閉じる</translation>
</message>
<message>
<source>Close Pet Store Desktop?</source>
<translation>Pet Store Desktopを閉じますか？</translation>
</message>
<message>
<source>Close details</source>
<translation>詳細を閉じる</translation>
</message>
<message>
<source>Close that program, then restart this one.</source>
<translation>そのプログラムを閉じて、このプログラムを再起動してください。</translation>
</message>
<message>
<source>Close that program, then try again.</source>
<translation>そのプログラムを閉じて、もう一度試してください。</translation>
</message>
<message>
<source>Close the count &amp;without booking</source>
<translation>在庫に反映せずに棚卸を終了(&amp;W)</translation>
</message>
<message>
<source>Close the preview before you go on counting.</source>
<translation>カウントを続ける前に、プレビューを閉じてください。</translation>
</message>
<message>
<source>Close without importing?</source>
<translation>インポートせずに閉じますか？</translation>
</message>
<message>
<source>Close without saving?</source>
<translation>保存せずに閉じますか？</translation>
</message>
<message>
<source>Code</source>
<translation>コード</translation>
</message>
<message>
<source>Code 128</source>
<translation>Code 128</translation>
</message>
<message>
<source>Col&amp;umns shown</source>
<translation>表示する列(&amp;U)</translation>
</message>
<message>
<source>Colour beside its name</source>
<translation>名前の横の色</translation>
</message>
<message>
<source>Column</source>
<translation>列</translation>
</message>
<message>
<source>Column in the file</source>
<translation>ファイルの列</translation>
</message>
<message numerus="yes">
<source>Column {n}</source>
<translation>
<numerusform>列{n}</numerusform>
</translation>
</message>
<message>
<source>Columns</source>
<translation>列</translation>
</message>
<message>
<source>Columns: {columns}.</source>
<translation>列：{columns}。</translation>
</message>
<message>
<source>Comma</source>
<translation>コンマ</translation>
</message>
<message>
<source>Compare both values, then send yours again or discard it.</source>
<translation>両方の値を比べて、自分の変更を再送信するか破棄してください。</translation>
</message>
<message>
<source>Compare from {time}</source>
<translation>{time}から比較</translation>
</message>
<message>
<source>Compare the record with what you wanted, and change it where needed.</source>
<translation>レコードを意図した内容と比べて、必要なら変更してください。</translation>
</message>
<message>
<source>Compare the records of your last changes with what you wanted (Activity).</source>
<translation>最近の変更のレコードを、意図した内容と比べてください（アクティビティ）。</translation>
</message>
<message>
<source>Compare this computer’s clock with another one, such as a phone’s.</source>
<translation>このコンピューターの時計を、電話などの時計と比べてください。</translation>
</message>
<message>
<source>Compare two days</source>
<translation>2つの日を比較</translation>
</message>
<message>
<source>Compare up to now</source>
<translation>現在までを比較</translation>
</message>
<message>
<source>Comparing {n} of {total}</source>
<translation>比較中：{n}/{total}</translation>
</message>
<message numerus="yes">
<source>Comparing: {n} %</source>
<translation>
<numerusform>比較中：{n}%</numerusform>
</translation>
</message>
<message>
<source>Complete</source>
<translation>完了</translation>
</message>
<message>
<source>Connect</source>
<translation>接続</translation>
</message>
<message>
<source>Connect &amp;another shop…</source>
<translation>別のショップに接続(&amp;A)…</translation>
</message>
<message>
<source>Connect again under the same name and address.</source>
<translation>同じ名前とアドレスで、もう一度接続してください。</translation>
</message>
<message>
<source>Connect another shop</source>
<translation>別のショップに接続</translation>
</message>
<message>
<source>Connect to a network.</source>
<translation>ネットワークに接続してください。</translation>
</message>
<message>
<source>Connect your shop</source>
<translation>ショップに接続</translation>
</message>
<message>
<source>Connection &amp;settings…</source>
<translation>接続設定(&amp;S)…</translation>
</message>
<message>
<source>Connection settings</source>
<translation>接続設定</translation>
</message>
<message>
<source>Continue</source>
<translation>続行</translation>
</message>
<message>
<source>Cop&amp;y id</source>
<translation>IDをコピー(&amp;Y)</translation>
</message>
<message>
<source>Copies</source>
<translation>枚数</translation>
</message>
<message>
<source>Copy</source>
<translation>コピー</translation>
</message>
<message>
<source>Copy &amp;requests for support</source>
<translation>サポート用にリクエストをコピー(&amp;R)</translation>
</message>
<message>
<source>Copy diagnostics</source>
<translation>診断情報をコピー</translation>
</message>
<message>
<source>Copy for support</source>
<translation>サポート用にコピー</translation>
</message>
<message>
<source>Copy it again, and nothing else with it.</source>
<translation>キーだけを、もう一度コピーしてください。</translation>
</message>
<message>
<source>Copy it again, without spaces and line breaks.</source>
<translation>空白や改行を含めずに、もう一度コピーしてください。</translation>
</message>
<message>
<source>Copy the &amp;sentence</source>
<translation>案内文をコピー(&amp;S)</translation>
</message>
<message>
<source>Copy the sentence ({key})</source>
<translation>案内文をコピー（{key}）</translation>
</message>
<message>
<source>Copy the whole key again, or ask for another one.</source>
<translation>キー全体をコピーし直すか、別のキーを依頼してください。</translation>
</message>
<message>
<source>Copy the whole key again, or ask for another one. If the service expects the key in an unusual place, add its OpenAPI document.</source>
<translation>キー全体をコピーし直すか、別のキーを依頼してください。サービスが特殊な場所でキーを受け取る場合は、OpenAPIドキュメントを追加してください。</translation>
</message>
<message>
<source>Copy this key again, or ask the service’s provider for another one.</source>
<translation>このキーをコピーし直すか、サービスの提供元に別のキーを依頼してください。</translation>
</message>
<message>
<source>Copy with &amp;headers</source>
<translation>見出し付きでコピー(&amp;H)</translation>
</message>
<message numerus="yes">
<source>Copy {n} wrong rows with the reasons</source>
<translation>
<numerusform>誤りのある{n}行を理由と一緒にコピー</numerusform>
</translation>
</message>
<message>
<source>Correct the clock that is wrong. Pauses are exact all the same.</source>
<translation>ずれている方の時計を合わせてください。一時停止の長さは正確です。</translation>
</message>
<message>
<source>Could not be refreshed</source>
<translation>更新できませんでした</translation>
</message>
<message>
<source>Count {pet} again: scan it, or type its number. Undo brings back its count.</source>
<translation>{pet}を数え直します：スキャンするか、数を入力してください。「元に戻す」で前の数に戻ります。</translation>
</message>
<message>
<source>Counted</source>
<translation>実棚数</translation>
</message>
<message>
<source>Counted</source>
<comment>a list</comment>
<translation>カウント済み</translation>
</message>
<message>
<source>Counted at</source>
<translation>カウント時刻</translation>
</message>
<message>
<source>Counted by</source>
<translation>担当者</translation>
</message>
<message>
<source>Counted by {who}.</source>
<translation>担当者：{who}。</translation>
</message>
<message>
<source>Counted here: the service does not say.</source>
<translation>このプログラムで数えた値です。サービスからの通知はありません。</translation>
</message>
<message>
<source>Counting goes on; review the variances again when it is done.</source>
<translation>カウントが続いています。終わったら差異をもう一度確認してください。</translation>
</message>
<message>
<source>Create</source>
<translation>作成</translation>
</message>
<message>
<source>Ctrl+Enter shows it in its list</source>
<translation>Ctrl+Enterで一覧に表示</translation>
</message>
<message>
<source>Ctrl+Z undoes all of it, even tomorrow.</source>
<translation>Ctrl+Zですべて元に戻せます。翌日以降でも可能です。</translation>
</message>
<message>
<source>Ctrl+Z undoes it only until it is sent.</source>
<translation>Ctrl+Zで元に戻せるのは、送信されるまでです。</translation>
</message>
<message>
<source>Ctrl+Z undoes it until it is sent. After that this service cannot restore it.</source>
<translation>送信されるまではCtrl+Zで元に戻せます。送信後は、このサービスでは復元できません。</translation>
</message>
<message>
<source>Ctrl+Z undoes it, but sent new records stay: this service does not delete them.</source>
<translation>Ctrl+Zで元に戻せますが、送信済みの新規レコードは残ります。このサービスはレコードを削除しません。</translation>
</message>
<message>
<source>Ctrl+Z undoes it, sent or not, tomorrow too.</source>
<translation>Ctrl+Zで元に戻せます。送信後でも、翌日でもかまいません。</translation>
</message>
<message numerus="yes">
<source>Ctrl+Z undoes it. Once sent, undo adds these {n} again with new ids.</source>
<translation>
<numerusform>Ctrl+Zで元に戻せます。送信後に元に戻すと、この{n}件を新しいIDで追加し直します。</numerusform>
</translation>
</message>
<message>
<source>Dark</source>
<translation>ダーク</translation>
</message>
<message>
<source>Data chec&amp;ks</source>
<translation>データチェック(&amp;K)</translation>
</message>
<message>
<source>Data folder</source>
<translation>データフォルダー</translation>
</message>
<message>
<source>Data kept on this computer needs no request.</source>
<translation>このコンピューターにあるデータの表示にリクエストは不要です。</translation>
</message>
<message>
<source>Dates</source>
<translation>日付</translation>
</message>
<message>
<source>Day</source>
<translation>1日</translation>
</message>
<message>
<source>Day.Month.Year</source>
<translation>日.月.年</translation>
</message>
<message>
<source>Days</source>
<translation>対象期間</translation>
</message>
<message>
<source>Decide</source>
<translation>対応する</translation>
</message>
<message>
<source>Del</source>
<translation>Del</translation>
</message>
<message>
<source>Delete</source>
<translation>削除</translation>
</message>
<message>
<source>Delete</source>
<comment>a change</comment>
<translation>削除</translation>
</message>
<message>
<source>Delete a category</source>
<translation>カテゴリの削除</translation>
</message>
<message>
<source>Delete a pet</source>
<translation>ペットの削除</translation>
</message>
<message>
<source>Delete order {id}?</source>
<translation>注文{id}を削除しますか？</translation>
</message>
<message>
<source>Delete puts this away until there are more.</source>
<translation>Deleteキーで、増えるまで非表示にします。</translation>
</message>
<message>
<source>Delete them again, or ask the service’s provider why it keeps them.</source>
<translation>もう一度削除するか、なぜ残しているのかをサービスの提供元に問い合わせてください。</translation>
</message>
<message>
<source>Delete this size</source>
<translation>このサイズを削除</translation>
</message>
<message numerus="yes">
<source>Delete {n}</source>
<translation>
<numerusform>{n}件を削除</numerusform>
</translation>
</message>
<message>
<source>Delete {things}</source>
<translation>{things}を削除</translation>
</message>
<message>
<source>Delete {things}?</source>
<translation>{things}を削除しますか？</translation>
</message>
<message>
<source>Delete {view}</source>
<translation>{view}を削除</translation>
</message>
<message>
<source>Deleting categories</source>
<translation>カテゴリの削除</translation>
</message>
<message>
<source>Deleting pets</source>
<translation>ペットの削除</translation>
</message>
<message numerus="yes">
<source>Delivery: {n} lines</source>
<translation>
<numerusform>入荷：{n}行</numerusform>
</translation>
</message>
<message>
<source>Deprecated: was to be removed on {day}</source>
<translation>廃止予定：{day}に廃止されるはずでした</translation>
</message>
<message>
<source>Deprecated: will be removed on {day}, {left}</source>
<translation>廃止予定：{day}（{left}）に廃止</translation>
</message>
<message>
<source>Deprecated: will be removed some day</source>
<translation>廃止予定：時期は未定</translation>
</message>
<message>
<source>Description</source>
<translation>説明</translation>
</message>
<message>
<source>Details</source>
<translation>詳細</translation>
</message>
<message>
<source>Diagnostics are on the clipboard.</source>
<translation>診断情報をクリップボードにコピーしました。</translation>
</message>
<message>
<source>Difference</source>
<translation>差異</translation>
</message>
<message>
<source>Disc&amp;ard changes of this view</source>
<translation>このビューの変更を破棄(&amp;B)</translation>
</message>
<message>
<source>Discard</source>
<translation>破棄</translation>
</message>
<message>
<source>Discard changes of {view}</source>
<translation>{view}の変更を破棄</translation>
</message>
<message>
<source>Discard mine</source>
<translation>自分の変更を破棄</translation>
</message>
<message>
<source>Discard {changes}?</source>
<translation>{changes}を破棄しますか？</translation>
</message>
<message>
<source>Discarded</source>
<translation>破棄</translation>
</message>
<message>
<source>Discarded {time}, never sent.</source>
<translation>{time}に、送信前に破棄しました。</translation>
</message>
<message>
<source>Discarded {time}.</source>
<translation>{time}に破棄しました。</translation>
</message>
<message>
<source>Discarded {time}; the service had refused it.</source>
<translation>{time}に破棄しました。サービスに拒否されていました。</translation>
</message>
<message numerus="yes">
<source>Do not add them</source>
<translation>
<numerusform>追加しない</numerusform>
</translation>
</message>
<message>
<source>Do not ask</source>
<translation>確認しない</translation>
</message>
<message>
<source>Do not continue. Ask the service’s provider.</source>
<translation>接続を続けないでください。サービスの提供元に問い合わせてください。</translation>
</message>
<message>
<source>Document</source>
<translation>ドキュメント</translation>
</message>
<message>
<source>Don’t say this again</source>
<translation>今後表示しない</translation>
</message>
<message>
<source>Due today</source>
<translation>今日発送</translation>
</message>
<message>
<source>E&amp;xclude this</source>
<translation>この値を除外(&amp;X)</translation>
</message>
<message>
<source>EUC-KR, Korean</source>
<translation>韓国語（EUC-KR）</translation>
</message>
<message>
<source>Each code that was scanned is a pet’s.</source>
<translation>スキャンしたコードはすべてペットのものです。</translation>
</message>
<message>
<source>Each scan is a line here, saved at once. Book them when all is scanned.</source>
<translation>スキャンは1行ずつここに表示され、すぐに保存されます。すべてスキャンしたら在庫に反映してください。</translation>
</message>
<message>
<source>Earlier</source>
<translation>それ以前</translation>
</message>
<message>
<source>Earlier saved changes are safe. The last change may be saved after all.</source>
<translation>以前に保存した変更は安全です。最後の変更も保存されている可能性があります。</translation>
</message>
<message>
<source>Earlier saved changes are safe; the last change is not.</source>
<translation>以前に保存した変更は安全ですが、最後の変更は保存されていません。</translation>
</message>
<message>
<source>Ed&amp;it cell</source>
<translation>セルを編集(&amp;I)</translation>
</message>
<message>
<source>Edit</source>
<translation>編集</translation>
</message>
<message>
<source>Edit &amp;stock</source>
<translation>在庫数を編集(&amp;S)</translation>
</message>
<message>
<source>Edit of many rows</source>
<translation>複数行の編集</translation>
</message>
<message>
<source>Edit {name}</source>
<translation>{name}を編集</translation>
</message>
<message>
<source>Editing these costs {requests}</source>
<translation>これらの編集の所要：{requests}</translation>
</message>
<message>
<source>Empty for none. 0 marks only sold-out stock.</source>
<translation>空欄にすると設定なしになります。0にすると、在庫切れだけに印が付きます。</translation>
</message>
<message>
<source>Empty for the category’s. 0 marks only sold-out stock.</source>
<translation>空欄にするとカテゴリの値を使います。0にすると、在庫切れだけに印が付きます。</translation>
</message>
<message>
<source>Empty for the category’s: {n}. 0 marks only sold-out stock.</source>
<translation>空欄にするとカテゴリの値（{n}）を使います。0にすると、在庫切れだけに印が付きます。</translation>
</message>
<message>
<source>Empty for the category’s: {n}. The column To order counts up to it.</source>
<translation>空欄にするとカテゴリの値（{n}）を使います。「発注数」の列は、この数までに必要な数です。</translation>
</message>
<message>
<source>Empty keeps each value. 0 marks only sold-out stock.</source>
<translation>空欄にすると、それぞれの値を保ちます。0にすると、在庫切れだけに印が付きます。</translation>
</message>
<message>
<source>Empty keeps each value. The column To order counts up to it.</source>
<translation>空欄にすると、それぞれの値を保ちます。「発注数」の列は、この数までに必要な数です。</translation>
</message>
<message>
<source>Empty to order up to the minimum. The column To order counts up to it.</source>
<translation>空欄にすると最低在庫まで発注します。「発注数」の列は、この数までに必要な数です。</translation>
</message>
<message>
<source>Encoding</source>
<translation>文字コード</translation>
</message>
<message>
<source>End</source>
<translation>終了時</translation>
</message>
<message>
<source>End</source>
<comment>the rehearsal</comment>
<translation>終了</translation>
</message>
<message>
<source>End</source>
<comment>what plays by itself</comment>
<translation>終了</translation>
</message>
<message>
<source>End the rehearsal?</source>
<translation>リハーサルを終了しますか？</translation>
</message>
<message>
<source>End: {day}</source>
<translation>終了時：{day}</translation>
</message>
<message>
<source>Endless roll, {width} mm wide</source>
<translation>連続ロール、幅 {width} mm</translation>
</message>
<message>
<source>Enough for today at this pace</source>
<translation>このペースなら今日は足ります</translation>
</message>
<message>
<source>Enough for today at this pace.</source>
<translation>このペースなら今日は足ります。</translation>
</message>
<message>
<source>Enter</source>
<translation>Enter</translation>
</message>
<message>
<source>Enter a date.</source>
<translation>日付を入力してください。</translation>
</message>
<message>
<source>Enter a day, such as {example}.</source>
<translation>{example}のような日付を入力してください。</translation>
</message>
<message>
<source>Enter a day: fri, +3, tomorrow, {example}</source>
<translation>日付を入力：金、+3、明日、{example}</translation>
</message>
<message>
<source>Enter a key.</source>
<translation>キーを入力してください。</translation>
</message>
<message>
<source>Enter a name.</source>
<translation>名前を入力してください。</translation>
</message>
<message>
<source>Enter a number from 0 to {most}</source>
<translation>0から{most}までの数値を入力してください</translation>
</message>
<message>
<source>Enter a number.</source>
<translation>数値を入力してください。</translation>
</message>
<message>
<source>Enter a valid date.</source>
<translation>正しい日付を入力してください。</translation>
</message>
<message>
<source>Enter a whole number</source>
<translation>整数を入力してください</translation>
</message>
<message>
<source>Enter a whole number as the id.</source>
<translation>IDは整数で入力してください。</translation>
</message>
<message>
<source>Enter a whole number from 1 to {most}.</source>
<translation>1から{most}までの整数を入力してください。</translation>
</message>
<message>
<source>Enter a whole number, such as 5.</source>
<translation>5のような整数を入力してください。</translation>
</message>
<message>
<source>Enter a whole number.</source>
<translation>整数を入力してください。</translation>
</message>
<message>
<source>Enter a whole number: no fraction.</source>
<translation>小数ではなく整数を入力してください。</translation>
</message>
<message>
<source>Enter an address.</source>
<translation>アドレスを入力してください。</translation>
</message>
<message>
<source>Enter an id.</source>
<translation>IDを入力してください。</translation>
</message>
<message>
<source>Enter another key.</source>
<translation>別のキーを入力してください。</translation>
</message>
<message>
<source>Enter another key: this one is wrong, or was revoked. Until then nothing is sent.</source>
<translation>別のキーを入力してください。このキーは誤っているか、取り消されています。入力するまで何も送信しません。</translation>
</message>
<message>
<source>Enter at least 1, or leave it empty.</source>
<translation>1以上を入力するか、空欄にしてください。</translation>
</message>
<message>
<source>Enter at least 1.</source>
<translation>1以上を入力してください。</translation>
</message>
<message>
<source>Enter at least the minimum.</source>
<translation>最低在庫以上の値を入力してください。</translation>
</message>
<message>
<source>Enter chooses, Esc leaves</source>
<translation>Enterで選択、Escで閉じる</translation>
</message>
<message>
<source>Enter it in the window (File &gt; Change key), or give it by this name with `petstore-desktop connect --further-key`.</source>
<translation>ウィンドウ（ファイル &gt; キーを変更）で入力するか、この名前を付けて `petstore-desktop connect --further-key` で渡してください。</translation>
</message>
<message>
<source>Enter it in the window (File &gt; Change key), or give it with `petstore-desktop connect --key-stdin`.</source>
<translation>ウィンドウ（ファイル &gt; キーを変更）で入力するか、`petstore-desktop connect --key-stdin` で渡してください。</translation>
</message>
<message>
<source>Enter shows the rows of this batch, or hides them.</source>
<translation>Enterで、この一括変更の行を表示または非表示にします。</translation>
</message>
<message>
<source>Enter the key.</source>
<translation>キーを入力してください。</translation>
</message>
<message>
<source>Enter the name of a file.</source>
<translation>ファイル名を入力してください。</translation>
</message>
<message>
<source>Enter the value, or give the address with it, such as {example}.</source>
<translation>値を入力するか、{example}のように値を含むアドレスを指定してください。</translation>
</message>
<message>
<source>Enter them.</source>
<translation>値を入力してください。</translation>
</message>
<message>
<source>Entries that the service keeps for its pets are shown here.</source>
<translation>サービスが管理するペットの在庫データがここに表示されます。</translation>
</message>
<message>
<source>Every change is listed here once it is saved: when, which record, and how it ended.</source>
<translation>変更は保存されるとすべてここに表示されます。日時、レコード、結果がわかります。</translation>
</message>
<message>
<source>Every change is sent and confirmed.</source>
<translation>すべての変更が送信され、サービスで確認されています。</translation>
</message>
<message>
<source>Every name fits</source>
<translation>すべての名前が収まります</translation>
</message>
<message>
<source>Every order has a pet, a quantity and a date</source>
<translation>どの注文にもペット、数量、日付があります</translation>
</message>
<message>
<source>Every order is of a pet that exists</source>
<translation>どの注文のペットも存在します</translation>
</message>
<message>
<source>Every pet has a category</source>
<translation>すべてのペットにカテゴリがあります</translation>
</message>
<message>
<source>Every pet needs a category, but there is none, and this service cannot add one.</source>
<translation>ペットにはカテゴリが必要ですが、カテゴリがなく、このサービスでは追加もできません。</translation>
</message>
<message>
<source>Every request to the service is listed here: when it was sent, for whom, and the answer.</source>
<translation>サービスへのリクエストがすべてここに表示されます。送信日時、用途、応答がわかります。</translation>
</message>
<message>
<source>Everything else goes on.</source>
<translation>その他の処理は続きます。</translation>
</message>
<message>
<source>Everything else works.</source>
<translation>その他はすべて使えます。</translation>
</message>
<message>
<source>Everything here is sent</source>
<translation>すべて送信済みです</translation>
</message>
<message>
<source>Everything saved on this computer is safe.</source>
<translation>このコンピューターに保存したものはすべて安全です。</translation>
</message>
<message>
<source>Everything works</source>
<translation>すべて正常</translation>
</message>
<message>
<source>Example</source>
<translation>例</translation>
</message>
<message>
<source>Excel workbook (.xlsx)</source>
<translation>Excelブック (.xlsx)</translation>
</message>
<message>
<source>Expected</source>
<translation>帳簿数</translation>
</message>
<message>
<source>Export</source>
<translation>エクスポート</translation>
</message>
<message>
<source>Export bar codes</source>
<translation>バーコードのエクスポート</translation>
</message>
<message>
<source>Export changes</source>
<translation>変更のエクスポート</translation>
</message>
<message>
<source>Export views</source>
<translation>ビューのエクスポート</translation>
</message>
<message>
<source>Export {view}</source>
<translation>{view}をエクスポート</translation>
</message>
<message>
<source>Export…</source>
<translation>エクスポート…</translation>
</message>
<message>
<source>Fields</source>
<translation>項目</translation>
</message>
<message>
<source>File</source>
<translation>ファイル</translation>
</message>
<message>
<source>Fill</source>
<translation>範囲へコピー</translation>
</message>
<message>
<source>Fill dow&amp;n</source>
<translation>下方向へコピー(&amp;N)</translation>
</message>
<message>
<source>Fill in the empty fields above.</source>
<translation>上の空欄を入力してください。</translation>
</message>
<message>
<source>Fill the bloc&amp;k</source>
<translation>選択範囲へコピー(&amp;K)</translation>
</message>
<message>
<source>Filter</source>
<translation>フィルター</translation>
</message>
<message>
<source>Filter &amp;by this</source>
<translation>この値でフィルター(&amp;B)</translation>
</message>
<message>
<source>Filter over all columns</source>
<translation>すべての列をフィルター</translation>
</message>
<message>
<source>Filter this colu&amp;mn</source>
<translation>この列をフィルター(&amp;M)</translation>
</message>
<message>
<source>Filter {column}</source>
<translation>{column}をフィルター</translation>
</message>
<message>
<source>Filter: name or id</source>
<translation>フィルター：名前またはID</translation>
</message>
<message>
<source>Filter: name, id, field, here or elsewhere</source>
<translation>フィルター：名前、ID、項目、変更元</translation>
</message>
<message>
<source>Finish: nothing to send</source>
<translation>終了：送信するものなし</translation>
</message>
<message>
<source>First cells</source>
<translation>先頭のセル</translation>
</message>
<message>
<source>First seen</source>
<translation>初回の検出</translation>
</message>
<message>
<source>First start of a day</source>
<translation>その日の最初の起動時</translation>
</message>
<message>
<source>Fit co&amp;lumns</source>
<translation>列幅を合わせる(&amp;L)</translation>
</message>
<message>
<source>For</source>
<translation>用途</translation>
</message>
<message>
<source>For a spreadsheet (*.csv)</source>
<translation>表計算ソフト用 (*.csv)</translation>
</message>
<message>
<source>For another address, connect another shop.</source>
<translation>別のアドレスを使うには、別のショップとして接続してください。</translation>
</message>
<message>
<source>For another value, connect another shop.</source>
<translation>別の値を使うには、別のショップとして接続してください。</translation>
</message>
<message>
<source>For programs (*.json)</source>
<translation>プログラム用 (*.json)</translation>
</message>
<message>
<source>For programs (.json)</source>
<translation>プログラム用 (.json)</translation>
</message>
<message>
<source>For some operations the service wants another key: {key}.</source>
<translation>一部の操作では、サービスが別のキーを求めています：{key}。</translation>
</message>
<message>
<source>Forget</source>
<translation>登録解除</translation>
</message>
<message>
<source>Forget this shop…</source>
<translation>このショップの登録を解除…</translation>
</message>
<message>
<source>Forget {shop}?</source>
<translation>{shop}の登録を解除しますか？</translation>
</message>
<message>
<source>Forward</source>
<translation>進む</translation>
</message>
<message>
<source>Found</source>
<translation>検索結果</translation>
</message>
<message>
<source>Free some disk space, then restart the program.</source>
<translation>ディスクの空きを増やして、プログラムを再起動してください。</translation>
</message>
<message>
<source>Free some disk space, then try again.</source>
<translation>ディスクの空きを増やして、もう一度試してください。</translation>
</message>
<message>
<source>Free&amp;ze columns up to here</source>
<translation>ここまでの列を固定(&amp;Z)</translation>
</message>
<message>
<source>From</source>
<translation>開始</translation>
</message>
<message>
<source>From one day to another</source>
<translation>期間を指定</translation>
</message>
<message>
<source>From this network there is no way to {host}.</source>
<translation>このネットワークから{host}への経路がありません。</translation>
</message>
<message>
<source>From what this computer has read; what moved and moved back between two readings is not in it.</source>
<translation>このコンピューターが読み取った内容に基づきます。2回の読み取りの間に変わって元に戻ったものは含まれません。</translation>
</message>
<message>
<source>From your rehearsal; nothing of it has reached the shop yet.</source>
<translation>リハーサルの変更です。ショップにはまだ何も届いていません。</translation>
</message>
<message>
<source>From {time}</source>
<translation>{time}から</translation>
</message>
<message>
<source>Full again at {time}.</source>
<translation>{time}に上限まで回復します。</translation>
</message>
<message>
<source>GB 18030, Chinese</source>
<translation>中国語（GB 18030）</translation>
</message>
<message>
<source>Gap between columns</source>
<translation>列の間隔</translation>
</message>
<message>
<source>Gap between rows</source>
<translation>行の間隔</translation>
</message>
<message>
<source>General</source>
<translation>一般</translation>
</message>
<message>
<source>Give the base address of its API, such as https://shop.example/v1.</source>
<translation>APIのベースアドレスを指定してください（例：https://shop.example/v1）。</translation>
</message>
<message>
<source>Go to its c&amp;ategory</source>
<translation>カテゴリへ移動(&amp;A)</translation>
</message>
<message>
<source>Go to its s&amp;tock</source>
<translation>在庫へ移動(&amp;T)</translation>
</message>
<message>
<source>Go to the record</source>
<translation>レコードへ移動</translation>
</message>
<message>
<source>Gone</source>
<comment>a record that is no longer there</comment>
<translation>なくなった</translation>
</message>
<message>
<source>Gone</source>
<comment>records that are no longer there</comment>
<translation>なくなったレコード</translation>
</message>
<message>
<source>Green</source>
<translation>緑</translation>
</message>
<message>
<source>H&amp;ide this column</source>
<translation>この列を隠す(&amp;I)</translation>
</message>
<message>
<source>HTTP status</source>
<translation>HTTPステータス</translation>
</message>
<message>
<source>Has no stock entry</source>
<translation>在庫データなし</translation>
</message>
<message>
<source>Header row</source>
<translation>見出し行</translation>
</message>
<message>
<source>High contrast</source>
<translation>ハイコントラスト</translation>
</message>
<message>
<source>History</source>
<translation>履歴</translation>
</message>
<message>
<source>Holds the id. A scan of it finds the pet, also offline.</source>
<translation>IDが入っています。スキャンすると、オフラインでもペットが見つかります。</translation>
</message>
<message>
<source>How long they last is not known yet</source>
<translation>いつまで使えるかはまだわかりません</translation>
</message>
<message>
<source>How many operations can be used with this choice is not known before the service is asked again.</source>
<translation>この選択で使える操作の数は、サービスにもう一度問い合わせるまでわかりません。</translation>
</message>
<message>
<source>I&amp;mport…</source>
<translation>インポート(&amp;M)…</translation>
</message>
<message>
<source>Id</source>
<translation>ID</translation>
</message>
<message>
<source>Id of the pet</source>
<translation>ペットのID</translation>
</message>
<message>
<source>If it happens again, ask the service’s provider, and look for other programs that use this key.</source>
<translation>また起こる場合は、サービスの提供元に問い合わせ、このキーを使う他のプログラムがないか確認してください。</translation>
</message>
<message>
<source>If it has them elsewhere: choose them in File &gt; Operations, or give its document with --document.</source>
<translation>別の場所にある場合は、「ファイル &gt; サービスの操作」で選ぶか、--documentでドキュメントを指定してください。</translation>
</message>
<message>
<source>If it is a pet shop, choose its operations in File &gt; Operations.</source>
<translation>ペットショップの場合は、「ファイル &gt; サービスの操作」で操作を選んでください。</translation>
</message>
<message>
<source>If it is right, you don’t need to do anything.</source>
<translation>合っていれば、何もする必要はありません。</translation>
</message>
<message>
<source>If it is wrong, set it: late orders and all times shown depend on it.</source>
<translation>ずれている場合は合わせてください。注文の遅延と表示されるすべての時刻に影響します。</translation>
</message>
<message>
<source>If that address is right, enter it.</source>
<translation>そのアドレスで正しければ、入力してください。</translation>
</message>
<message>
<source>If that address is right, use it instead.</source>
<translation>そのアドレスで正しければ、代わりに使ってください。</translation>
</message>
<message>
<source>If that is right, choose it in File &gt; Operations.</source>
<translation>それで正しければ、「ファイル &gt; サービスの操作」で選んでください。</translation>
</message>
<message>
<source>If the service has moved, change the connection’s address; a sign-in page means that it is the wrong one.</source>
<translation>サービスが移転した場合は、接続のアドレスを変更してください。サインインページの場合は、アドレスが違います。</translation>
</message>
<message>
<source>If the service publishes no OpenAPI document.</source>
<translation>サービスがOpenAPIドキュメントを公開していない場合に選びます。</translation>
</message>
<message>
<source>If this happens often, the shop needs a larger plan.</source>
<translation>頻繁に起こる場合は、ショップに上位のプランが必要です。</translation>
</message>
<message>
<source>If this is the right server, set its authority’s certificate as the connection’s CA file.</source>
<translation>正しいサーバーであれば、その認証局の証明書を接続のCAファイルに指定してください。</translation>
</message>
<message>
<source>If you know your plan, choose it in File, Connection settings.</source>
<translation>プランがわかる場合は、「ファイル &gt; 接続設定」で選んでください。</translation>
</message>
<message>
<source>If you send now, the key may be banned. Then nothing works with it for hours.</source>
<translation>今送信すると、キーが利用停止になるおそれがあります。その場合、このキーでは何時間も何もできません。</translation>
</message>
<message>
<source>If you trust that address, choose it as the connection’s document.</source>
<translation>そのアドレスを信頼できる場合は、接続のドキュメントとして選んでください。</translation>
</message>
<message>
<source>If your scanner types something before or after each code, enter it here. Leave Enter and Tab out.</source>
<translation>スキャナーがコードの前後に文字を付ける場合は、ここに入力します。EnterとTabは含めないでください。</translation>
</message>
<message>
<source>Import</source>
<translation>インポート</translation>
</message>
<message>
<source>Import as</source>
<translation>インポート先</translation>
</message>
<message>
<source>Import bar codes</source>
<translation>バーコードのインポート</translation>
</message>
<message>
<source>Import column {name} as</source>
<translation>列「{name}」のインポート先</translation>
</message>
<message>
<source>Import of {file}</source>
<translation>{file}のインポート</translation>
</message>
<message>
<source>Import of {file} by a script</source>
<translation>スクリプトによる{file}のインポート</translation>
</message>
<message>
<source>Import views</source>
<translation>ビューのインポート</translation>
</message>
<message>
<source>Import {file}</source>
<translation>{file}をインポート</translation>
</message>
<message>
<source>Imported before</source>
<translation>インポート済み</translation>
</message>
<message>
<source>Import…</source>
<translation>インポート…</translation>
</message>
<message>
<source>In conflict</source>
<translation>競合</translation>
</message>
<message>
<source>In millimetres, as the box of the labels says. A roll has one label across and one down.</source>
<translation>ラベルの箱に書かれた寸法をミリメートルで入力します。ロールの場合は、横も縦も1枚です。</translation>
</message>
<message numerus="yes">
<source>In row {n}</source>
<translation>
<numerusform>{n}行目</numerusform>
</translation>
</message>
<message>
<source>In stock</source>
<translation>在庫数</translation>
</message>
<message numerus="yes">
<source>In stock {stock}, but {n} are on order.</source>
<translation>
<numerusform>在庫数は{stock}ですが、注文中が{n}点あります。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>In stock {stock}, {n} on order.</source>
<translation>
<numerusform>在庫数{stock}、注文中{n}点。</numerusform>
</translation>
</message>
<message>
<source>In stock {stock}.</source>
<translation>在庫数{stock}。</translation>
</message>
<message>
<source>In stock, each</source>
<translation>在庫数（1件ごと）</translation>
</message>
<message>
<source>In the order of the screen. Ids keep all their digits, and no text becomes a formula.</source>
<translation>画面と同じ順序で書き出します。IDの桁はすべて保たれ、文字列が数式になることはありません。</translation>
</message>
<message>
<source>In the rehearsal: {what}.</source>
<translation>リハーサルの内容：{what}。</translation>
</message>
<message>
<source>Include it</source>
<translation>在庫を含める</translation>
</message>
<message>
<source>Incomplete</source>
<translation>不備あり</translation>
</message>
<message>
<source>Incomplete orders</source>
<translation>不備のある注文</translation>
</message>
<message>
<source>Install the later version again.</source>
<translation>新しいバージョンをもう一度インストールしてください。</translation>
</message>
<message>
<source>Invented pets and orders, with real request limits. Runs on this computer; no account needed.</source>
<translation>架空のペットと注文を、実際と同じリクエストの上限で試せます。このコンピューターで動作し、アカウントは不要です。</translation>
</message>
<message>
<source>Inventory</source>
<translation>在庫</translation>
</message>
<message>
<source>It answered {said}.</source>
<translation>応答：{said}。</translation>
</message>
<message>
<source>It cannot work just now, and answered {said}.</source>
<translation>現在は処理できません。応答：{said}。</translation>
</message>
<message>
<source>It continues where it stopped.</source>
<translation>中止したところから続けます。</translation>
</message>
<message>
<source>It could also be {endpoint}.</source>
<translation>{endpoint}の可能性もあります。</translation>
</message>
<message>
<source>It counts {counts}.</source>
<translation>集計：{counts}。</translation>
</message>
<message>
<source>It did not say clearly how long, so the program waits longer each time.</source>
<translation>待つ時間がはっきり示されなかったため、回を重ねるごとに長く待ちます。</translation>
</message>
<message>
<source>It does not say its limits; the program counts by the plan that you gave.</source>
<translation>上限を通知していません。指定されたプランに基づいてプログラムが数えます。</translation>
</message>
<message>
<source>It does so when a program keeps sending after it was asked to wait.</source>
<translation>待つよう求められた後もプログラムが送信を続けると、利用停止になります。</translation>
</message>
<message>
<source>It gets a data folder of its own; this shop stays.</source>
<translation>専用のデータフォルダーが作成されます。今のショップはそのまま残ります。</translation>
</message>
<message>
<source>It goes into this computer’s keyring if it has one, never into a file.</source>
<translation>このコンピューターにキーリングがあればそこに保管し、ファイルには保存しません。</translation>
</message>
<message>
<source>It has no id, so it is new. {reason}</source>
<translation>IDがないため、新規として扱われます。{reason}</translation>
</message>
<message>
<source>It has no list to read, so none was tried.</source>
<translation>読み取れる一覧がないため、何も試していません。</translation>
</message>
<message>
<source>It is back: what you did goes out by itself.</source>
<translation>復旧しました。行ったことは自動で送信されます。</translation>
</message>
<message>
<source>It is checked when sending resumes</source>
<translation>送信が再開されると確認します</translation>
</message>
<message>
<source>It is full again at {time}.</source>
<translation>{time}に上限まで回復します。</translation>
</message>
<message>
<source>It is kept in the history and in the protocol.</source>
<translation>履歴と棚卸記録に残ります。</translation>
</message>
<message>
<source>It is not certain which record a change of {things} would reach by this id: {name}. So they are only read.</source>
<translation>{things}の変更がこのID（{name}）でどのレコードに届くか確実ではありません。そのため読み取り専用です。</translation>
</message>
<message>
<source>It is not certain which record {shop} would change by this id. A profile says what its ids mean (File &gt; Operations &gt; Save as profile).</source>
<translation>このIDで{shop}がどのレコードを変更するか確実ではありません。IDの意味はプロファイルで指定します（ファイル &gt; サービスの操作 &gt; プロファイルとして保存）。</translation>
</message>
<message numerus="yes">
<source>It is not known whether {changes} arrived: check at the service before you make them again.</source>
<translation>
<numerusform>{changes}が届いたかどうか不明です。同じ変更をもう一度行う前に、サービスで確認してください。</numerusform>
</translation>
</message>
<message>
<source>It is read from the service now, and stays in the list here.</source>
<translation>今サービスから読み取り、この一覧に残します。</translation>
</message>
<message>
<source>It is sent in the address, as {name}.</source>
<translation>アドレス内の{name}として送信します。</translation>
</message>
<message>
<source>It is sent in the header {name}.</source>
<translation>ヘッダー{name}で送信します。</translation>
</message>
<message>
<source>It is unchanged, with everything saved. Until it is upgraded nothing can be changed or sent.</source>
<translation>ファイルは元のままで、保存内容もすべて残っています。更新できるまで、変更も送信もできません。</translation>
</message>
<message>
<source>It is {status} already.</source>
<translation>すでに{status}です。</translation>
</message>
<message>
<source>It may be a colleague’s. Keep mine deletes it.</source>
<translation>他の担当者のものかもしれません。「自分の値を残す」を選ぶと、削除します。</translation>
</message>
<message>
<source>It may be done or not; nothing is sent twice by itself.</source>
<translation>実行されたかどうかは不明です。自動で二重に送信することはありません。</translation>
</message>
<message>
<source>It may be overloaded. Try again later, or ask its provider.</source>
<translation>混雑している可能性があります。後でもう一度試すか、提供元に問い合わせてください。</translation>
</message>
<message>
<source>It may have arrived; the service does not show whether it did. The program does not send it again by itself.</source>
<translation>届いている可能性がありますが、サービスからは確認できません。自動での再送信は行いません。</translation>
</message>
<message>
<source>It offers all {of} operations.</source>
<translation>{of}個の操作をすべて提供しています。</translation>
</message>
<message>
<source>It offers {offered} of the {of} operations that the program uses.</source>
<translation>プログラムが使う{of}個の操作のうち、{offered}個を提供しています。</translation>
</message>
<message>
<source>It refused again, so the program waits longer than it asked.</source>
<translation>再び拒否されたため、指示された時間より長く待ちます。</translation>
</message>
<message>
<source>It says how many requests are left: {remaining} of {limit}.</source>
<translation>残りリクエストを通知しています：{limit}件中{remaining}件。</translation>
</message>
<message>
<source>It says how many requests are left: {remaining}, but not of how many.</source>
<translation>残りリクエストを通知していますが（{remaining}件）、上限は通知していません。</translation>
</message>
<message>
<source>It takes {price}.</source>
<translation>所要：{price}。</translation>
</message>
<message numerus="yes">
<source>It took {n} requests, all of them reads.</source>
<translation>
<numerusform>リクエスト{n}件を使いました。すべて読み取りです。</numerusform>
</translation>
</message>
<message>
<source>It was asked when the pets were read, {age}.</source>
<translation>ペットの読み取り時に取得しました（{age}）。</translation>
</message>
<message>
<source>It was done</source>
<translation>届いていた</translation>
</message>
<message>
<source>Its data on this computer is removed. No key was removed, because no keyring was found.</source>
<translation>このコンピューターにあるデータを削除しました。キーリングが見つからなかったため、キーは削除していません。</translation>
</message>
<message>
<source>Its document cannot be loaded. It answers at the standard paths, so the nine standard operations are used.</source>
<translation>ドキュメントを読み込めません。標準のパスで応答するため、標準の9つの操作を使います。</translation>
</message>
<message>
<source>Its document has no operation that lists {things}.</source>
<translation>ドキュメントに、{things}の一覧を取得する操作がありません。</translation>
</message>
<message>
<source>Its key and its data on this computer are removed.</source>
<translation>このコンピューターにあるキーとデータを削除しました。</translation>
</message>
<message>
<source>Jobs</source>
<translation>ジョブ</translation>
</message>
<message>
<source>Keep</source>
<translation>そのままにする</translation>
</message>
<message>
<source>Keep editing</source>
<translation>編集を続ける</translation>
</message>
<message>
<source>Keep mine</source>
<translation>自分の値を残す</translation>
</message>
<message>
<source>Keep the program’s data in a folder on this computer.</source>
<translation>プログラムのデータは、このコンピューターのフォルダーに置いてください。</translation>
</message>
<message>
<source>Keep these changes…</source>
<translation>これらの変更を残す…</translation>
</message>
<message>
<source>Keep waiting</source>
<translation>待機を続ける</translation>
</message>
<message>
<source>Keep working. If this happens often, the shop needs a larger plan.</source>
<translation>そのまま作業を続けられます。頻繁に起こる場合は、ショップに上位のプランが必要です。</translation>
</message>
<message>
<source>Keep working: it goes on by itself.</source>
<translation>そのまま作業を続けられます。自動的に再開します。</translation>
</message>
<message>
<source>Keep working: the program keeps trying, then sends your changes.</source>
<translation>そのまま作業を続けられます。接続を試し続け、つながれば変更を送信します。</translation>
</message>
<message>
<source>Keep working; it goes on by itself.</source>
<translation>そのまま作業を続けられます。自動的に再開します。</translation>
</message>
<message>
<source>Kept in this computer’s keyring if it has one, never in a file.</source>
<translation>このコンピューターにキーリングがあればそこに保管し、ファイルには保存しません。</translation>
</message>
<message>
<source>Key</source>
<translation>キー</translation>
</message>
<message>
<source>Key for {shop}</source>
<translation>{shop}のキー</translation>
</message>
<message>
<source>Key {name}</source>
<translation>キー {name}</translation>
</message>
<message>
<source>Key {name} (header {parameter})</source>
<translation>キー {name}（ヘッダー{parameter}）</translation>
</message>
<message>
<source>Key {name} (in the address, as {parameter})</source>
<translation>キー {name}（アドレス内の{parameter}）</translation>
</message>
<message>
<source>Keys and marks</source>
<translation>キー操作とマーク</translation>
</message>
<message>
<source>Label of {name}</source>
<translation>{name}のラベル</translation>
</message>
<message>
<source>Label {page} of {pages}</source>
<translation>ラベル {page}/{pages}</translation>
</message>
<message>
<source>Label {place}</source>
<translation>ラベル {place}</translation>
</message>
<message>
<source>Label, height</source>
<translation>ラベルの高さ</translation>
</message>
<message>
<source>Label, width</source>
<translation>ラベルの幅</translation>
</message>
<message>
<source>Labels</source>
<translation>ラベル</translation>
</message>
<message>
<source>Labels across</source>
<translation>横のラベル数</translation>
</message>
<message>
<source>Labels down</source>
<translation>縦のラベル数</translation>
</message>
<message>
<source>Labels of each pet</source>
<translation>ペットごとのラベル</translation>
</message>
<message>
<source>Language</source>
<translation>言語</translation>
</message>
<message>
<source>Language and preferences</source>
<translation>言語と環境設定</translation>
</message>
<message>
<source>Last month</source>
<translation>先月</translation>
</message>
<message>
<source>Last scan</source>
<translation>最後のスキャン</translation>
</message>
<message>
<source>Last scanned</source>
<translation>最後のスキャン</translation>
</message>
<message>
<source>Last week</source>
<translation>先週</translation>
</message>
<message numerus="yes">
<source>Last {n} days</source>
<translation>
<numerusform>過去{n}日間</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Last {n} hours</source>
<translation>
<numerusform>過去{n}時間</numerusform>
</translation>
</message>
<message>
<source>Lasts until they are full again: at this pace ≈ {count} by {time}</source>
<translation>回復まで使えます：このペースでは{time}までに≈{count}件</translation>
</message>
<message>
<source>Lasts until {time} at this pace.</source>
<translation>このペースでは{time}まで使えます。</translation>
</message>
<message>
<source>Late</source>
<translation>遅延</translation>
</message>
<message>
<source>Later</source>
<translation>後で</translation>
</message>
<message>
<source>Later</source>
<comment>orders due after this week</comment>
<translation>来週以降</translation>
</message>
<message>
<source>Latin-1, Western</source>
<translation>西ヨーロッパ（Latin-1）</translation>
</message>
<message>
<source>Latin-9, Western</source>
<translation>西ヨーロッパ（Latin-9）</translation>
</message>
<message>
<source>Laying out the report…</source>
<translation>レポートを作成中…</translation>
</message>
<message numerus="yes">
<source>Leave out their stock</source>
<translation>
<numerusform>在庫を除外する</numerusform>
</translation>
</message>
<message>
<source>Left out</source>
<translation>除外</translation>
</message>
<message>
<source>Left out with the record it belongs to</source>
<translation>元のレコードとともに除外</translation>
</message>
<message>
<source>Less</source>
<translation>折りたたむ</translation>
</message>
<message>
<source>Licences</source>
<translation>ライセンス</translation>
</message>
<message>
<source>Light</source>
<translation>ライト</translation>
</message>
<message>
<source>Limit not known</source>
<translation>上限不明</translation>
</message>
<message>
<source>Limits</source>
<translation>上限</translation>
</message>
<message numerus="yes">
<source>Limits {n} a day</source>
<translation>
<numerusform>上限 1日に{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Limits {n} a minute</source>
<translation>
<numerusform>上限 1分に{n}件</numerusform>
</translation>
</message>
<message>
<source>Lines</source>
<translation>明細</translation>
</message>
<message>
<source>List</source>
<translation>一覧</translation>
</message>
<message>
<source>List categories</source>
<translation>カテゴリの一覧</translation>
</message>
<message>
<source>List orders</source>
<translation>注文の一覧</translation>
</message>
<message>
<source>List pets</source>
<translation>ペットの一覧</translation>
</message>
<message>
<source>List stock</source>
<translation>在庫の一覧</translation>
</message>
<message>
<source>Loading…</source>
<translation>読み込み中…</translation>
</message>
<message>
<source>Loo&amp;k up by id…</source>
<translation>IDで照会(&amp;K)…</translation>
</message>
<message>
<source>Look at it</source>
<translation>見てみる</translation>
</message>
<message>
<source>Look at them</source>
<translation>見てみる</translation>
</message>
<message>
<source>Look up</source>
<translation>照会</translation>
</message>
<message>
<source>Look up a category</source>
<translation>カテゴリを照会</translation>
</message>
<message>
<source>Look up a pet</source>
<translation>ペットを照会</translation>
</message>
<message>
<source>Look up an order</source>
<translation>注文を照会</translation>
</message>
<message>
<source>Look up category #{id} at the shop</source>
<translation>カテゴリ #{id} をショップに照会</translation>
</message>
<message>
<source>Look up one category</source>
<translation>カテゴリの照会</translation>
</message>
<message>
<source>Look up one order</source>
<translation>注文の照会</translation>
</message>
<message>
<source>Look up one pet</source>
<translation>ペットの照会</translation>
</message>
<message>
<source>Look up order #{id} at the shop</source>
<translation>注文 #{id} をショップに照会</translation>
</message>
<message>
<source>Look up pet #{id} at the shop</source>
<translation>ペット #{id} をショップに照会</translation>
</message>
<message>
<source>Look up single records by id; they stay here.</source>
<translation>レコードをIDで1件ずつ照会できます。照会したレコードはここに残ります。</translation>
</message>
<message>
<source>Look up the stock of a pet</source>
<translation>ペットの在庫を照会</translation>
</message>
<message>
<source>Look up the stock of one pet</source>
<translation>ペットの在庫の照会</translation>
</message>
<message>
<source>Look up the stock of pet #{id} at the shop</source>
<translation>ペット #{id} の在庫をショップに照会</translation>
</message>
<message>
<source>Looking for unsent changes…</source>
<translation>未送信の変更を調べています…</translation>
</message>
<message>
<source>Low</source>
<translation>不足</translation>
</message>
<message>
<source>Low stock</source>
<translation>在庫不足</translation>
</message>
<message>
<source>Low stock by category</source>
<translation>カテゴリ別の在庫不足</translation>
</message>
<message>
<source>Low stock now</source>
<translation>現在の在庫不足</translation>
</message>
<message numerus="yes">
<source>Low stock now: {n} pets</source>
<translation>
<numerusform>現在の在庫不足：ペット{n}件</numerusform>
</translation>
</message>
<message>
<source>M&amp;ark open</source>
<translation>未完了にする(&amp;A)</translation>
</message>
<message>
<source>Mac, Western</source>
<translation>西ヨーロッパ（Mac）</translation>
</message>
<message>
<source>Manual</source>
<translation>マニュアル</translation>
</message>
<message>
<source>Manual of Pet Store Desktop</source>
<translation>Pet Store Desktopのマニュアル</translation>
</message>
<message>
<source>Margin at the left</source>
<translation>左の余白</translation>
</message>
<message>
<source>Margin at the top</source>
<translation>上の余白</translation>
</message>
<message>
<source>Marks</source>
<translation>マーク</translation>
</message>
<message>
<source>Menu</source>
<translation>メニュー</translation>
</message>
<message>
<source>Menu (F10)</source>
<translation>メニュー (F10)</translation>
</message>
<message>
<source>Method</source>
<translation>メソッド</translation>
</message>
<message>
<source>Mine</source>
<translation>自分の値</translation>
</message>
<message>
<source>Mine: {mine}. At the shop: {theirs}.</source>
<translation>自分の値：{mine}。ショップの値：{theirs}。</translation>
</message>
<message>
<source>Minimum</source>
<translation>最低在庫</translation>
</message>
<message>
<source>Minimum stock of {what}</source>
<translation>{what}の最低在庫</translation>
</message>
<message>
<source>Minimum stock of {what}: {n}</source>
<translation>{what}の最低在庫：{n}</translation>
</message>
<message>
<source>Minimum stock of {what}: {n}, order up to {most}</source>
<translation>{what}の最低在庫：{n}、発注目標数：{most}</translation>
</message>
<message>
<source>Minimum stock removed: {what}</source>
<translation>最低在庫を削除しました：{what}</translation>
</message>
<message>
<source>Minimum stock set: {what}</source>
<translation>最低在庫を設定しました：{what}</translation>
</message>
<message>
<source>Minute</source>
<translation>1分</translation>
</message>
<message>
<source>Missing: {missing}.</source>
<translation>使えない操作：{missing}。</translation>
</message>
<message>
<source>Month/Day/Year</source>
<translation>月/日/年</translation>
</message>
<message>
<source>Monthly report: l&amp;ast month…</source>
<translation>月報：先月(&amp;A)…</translation>
</message>
<message>
<source>Monthly report: t&amp;his month…</source>
<translation>月報：今月(&amp;H)…</translation>
</message>
<message>
<source>More</source>
<translation>その他</translation>
</message>
<message>
<source>More actions</source>
<translation>その他の操作</translation>
</message>
<message numerus="yes">
<source>More may belong to them, because not all of it was read: {lists}.</source>
<translation>
<numerusform>すべては読み込まれていないため、ほかにも関連するものがある可能性があります: {lists}。</numerusform>
</translation>
</message>
<message>
<source>More of this pet</source>
<translation>このペットのその他の情報</translation>
</message>
<message>
<source>More ordered than in stock</source>
<translation>在庫を超える注文</translation>
</message>
<message>
<source>More, in English</source>
<translation>その他（英語）</translation>
</message>
<message>
<source>More: plan, document, certificates</source>
<translation>詳細設定：プラン、ドキュメント、証明書</translation>
</message>
<message numerus="yes">
<source>Most often, as in row {row}: {reason}</source>
<translation>
<numerusform>最も多い理由（{row}行目など）：{reason}</numerusform>
</translation>
</message>
<message>
<source>Move this view &amp;up</source>
<translation>このビューを上へ移動(&amp;U)</translation>
</message>
<message>
<source>Move this view d&amp;own</source>
<translation>このビューを下へ移動(&amp;O)</translation>
</message>
<message>
<source>Move {things} to {value}</source>
<translation>{things}を{value}に移動</translation>
</message>
<message>
<source>Move {view} down</source>
<translation>{view}を下へ移動</translation>
</message>
<message>
<source>Move {view} up</source>
<translation>{view}を上へ移動</translation>
</message>
<message>
<source>Name</source>
<translation>名前</translation>
</message>
<message>
<source>Name in the service</source>
<translation>サービスでの名前</translation>
</message>
<message>
<source>Name in the service for “{what}”</source>
<translation>「{what}」のサービスでの名前</translation>
</message>
<message>
<source>Name of the shop</source>
<translation>ショップの名前</translation>
</message>
<message>
<source>Name or id</source>
<translation>名前またはID</translation>
</message>
<message>
<source>Name or id of the pet</source>
<translation>ペットの名前またはID</translation>
</message>
<message>
<source>Names</source>
<translation>名前</translation>
</message>
<message>
<source>Names, one per line</source>
<translation>名前（1行に1つ）</translation>
</message>
<message>
<source>Ne&amp;w order…</source>
<translation>新規注文(&amp;W)…</translation>
</message>
<message>
<source>Needs attenti&amp;on</source>
<translation>要対応(&amp;O)</translation>
</message>
<message>
<source>Needs attention</source>
<translation>要対応</translation>
</message>
<message>
<source>New</source>
<comment>a record that is new</comment>
<translation>新規</translation>
</message>
<message>
<source>New</source>
<comment>rows of a file</comment>
<translation>新規</translation>
</message>
<message>
<source>New &amp;category…</source>
<translation>新規カテゴリ(&amp;C)…</translation>
</message>
<message>
<source>New &amp;pet…</source>
<translation>新規ペット(&amp;P)…</translation>
</message>
<message>
<source>New category</source>
<translation>新規カテゴリ</translation>
</message>
<message>
<source>New category {name}</source>
<translation>新規カテゴリ {name}</translation>
</message>
<message>
<source>New changes show here until they are sent.</source>
<translation>新しい変更は、送信されるまでここに表示されます。</translation>
</message>
<message>
<source>New count</source>
<translation>新しい棚卸</translation>
</message>
<message>
<source>New order</source>
<translation>新規注文</translation>
</message>
<message>
<source>New orders</source>
<translation>新しい注文</translation>
</message>
<message>
<source>New pet</source>
<translation>新規ペット</translation>
</message>
<message>
<source>New pet {name}</source>
<translation>新規ペット {name}</translation>
</message>
<message>
<source>New pets</source>
<translation>新規ペット</translation>
</message>
<message>
<source>New records get numbers for ids here.</source>
<translation>ここでは新規レコードのIDは番号になります。</translation>
</message>
<message>
<source>New s&amp;tock entry…</source>
<translation>新規在庫データ(&amp;T)…</translation>
</message>
<message>
<source>New value</source>
<translation>変更後の値</translation>
</message>
<message>
<source>Newer versions</source>
<translation>新しいバージョン</translation>
</message>
<message>
<source>Next</source>
<translation>次へ</translation>
</message>
<message>
<source>Next month</source>
<translation>次の月</translation>
</message>
<message>
<source>Next page</source>
<translation>次のページ</translation>
</message>
<message>
<source>Next sheet</source>
<translation>次のシート</translation>
</message>
<message>
<source>No answer</source>
<translation>応答なし</translation>
</message>
<message>
<source>No category</source>
<translation>カテゴリなし</translation>
</message>
<message>
<source>No category matches {filter}</source>
<translation>{filter}に一致するカテゴリはありません</translation>
</message>
<message>
<source>No change</source>
<translation>変更しない</translation>
</message>
<message>
<source>No change is known between {then} and {now}.</source>
<translation>{then}から{now}までに、わかっている変更はありません。</translation>
</message>
<message>
<source>No change is known in these days.</source>
<translation>この期間に、わかっている変更はありません。</translation>
</message>
<message>
<source>No change is known since {time}.</source>
<translation>{time}以降、わかっている変更はありません。</translation>
</message>
<message>
<source>No change is refused, in conflict or unconfirmed.</source>
<translation>拒否、競合、未確認の変更はありません。</translation>
</message>
<message>
<source>No change of this record is known, neither yours nor anybody else’s.</source>
<translation>このレコードの変更は、自分のものも他の人のものも記録がありません。</translation>
</message>
<message>
<source>No changes yet</source>
<translation>変更はまだありません</translation>
</message>
<message>
<source>No code is remembered yet.</source>
<translation>登録されたコードはまだありません。</translation>
</message>
<message>
<source>No colour</source>
<translation>色なし</translation>
</message>
<message numerus="yes">
<source>No column surely says how many came: each of the {n} pasted lines counts as 1. Undo takes all of them back.</source>
<translation>
<numerusform>どの列が数か確かではありません。貼り付けた{n}行を、それぞれ1として数えます。「元に戻す」ですべて取り消せます。</numerusform>
</translation>
</message>
<message>
<source>No date</source>
<translation>日付なし</translation>
</message>
<message>
<source>No filter can exclude just this.</source>
<translation>これだけを除外できるフィルターがありません。</translation>
</message>
<message>
<source>No filter is set.</source>
<translation>フィルターが設定されていません。</translation>
</message>
<message>
<source>No history</source>
<translation>履歴なし</translation>
</message>
<message>
<source>No limits</source>
<translation>上限なし</translation>
</message>
<message>
<source>No longer in stock</source>
<translation>在庫データがなくなりました</translation>
</message>
<message>
<source>No longer there</source>
<translation>もうありません</translation>
</message>
<message>
<source>No matching change</source>
<translation>条件に合う変更はありません</translation>
</message>
<message>
<source>No minimum stock is set</source>
<translation>最低在庫が設定されていません</translation>
</message>
<message>
<source>No more than {most} labels at once.</source>
<translation>ラベルは一度に{most}枚までです。</translation>
</message>
<message>
<source>No name stands twice in a category</source>
<translation>カテゴリ内で重複する名前はありません</translation>
</message>
<message numerus="yes">
<source>No network for {n} seconds</source>
<translation>
<numerusform>{n}秒間ネットワークなし</numerusform>
</translation>
</message>
<message>
<source>No open orders</source>
<translation>未完了の注文はありません</translation>
</message>
<message>
<source>No order is overdue</source>
<translation>期限超過の注文はありません</translation>
</message>
<message>
<source>No order is overdue, and no pet is low.</source>
<translation>期限超過の注文も在庫不足のペットもありません。</translation>
</message>
<message>
<source>No order is overdue.</source>
<translation>期限超過の注文はありません。</translation>
</message>
<message>
<source>No order matches {filter}</source>
<translation>{filter}に一致する注文はありません</translation>
</message>
<message>
<source>No page has these words. Try fewer, or others.</source>
<translation>これらの語を含むページはありません。語を減らすか、別の語をお試しください。</translation>
</message>
<message>
<source>No path of the document names pets, categories, orders or stock, so nothing is used.</source>
<translation>ペット・カテゴリ・注文・在庫を表すパスがドキュメントにないため、何も使いません。</translation>
</message>
<message>
<source>No pet has the code {code}</source>
<translation>コード{code}のペットはありません</translation>
</message>
<message>
<source>No pet has the id {id}. To enter that many pieces, type {typed}.</source>
<translation>IDが {id} のペットはいません。その数を入力するには {typed} と入力してください。</translation>
</message>
<message>
<source>No pet has this code yet</source>
<translation>このコードのペットはまだありません</translation>
</message>
<message>
<source>No pet is called that</source>
<translation>その名前のペットはありません</translation>
</message>
<message>
<source>No pet is called that.</source>
<translation>その名前のペットはありません。</translation>
</message>
<message>
<source>No pet is called {name}, or has this id</source>
<translation>「{name}」という名前またはIDのペットはありません</translation>
</message>
<message>
<source>No pet matches {filter}</source>
<translation>{filter}に一致するペットはありません</translation>
</message>
<message>
<source>No pet that was read is called that; not all of the pets are here.</source>
<translation>読み込まれたペットの中に、その名前のものはありません。すべてのペットが揃っているわけではありません。</translation>
</message>
<message>
<source>No pet: {code}</source>
<comment>a bar code that no pet has</comment>
<translation>ペットなし：{code}</translation>
</message>
<message>
<source>No pets chosen</source>
<translation>ペットが選択されていません</translation>
</message>
<message>
<source>No problems found.</source>
<translation>問題は見つかりませんでした。</translation>
</message>
<message>
<source>No program here opens {file}.</source>
<translation>{file}を開けるプログラムがありません。</translation>
</message>
<message>
<source>No record of these lists can be used: {lists} ({why}).</source>
<translation>これらの一覧に利用できるレコードがありません：{lists}（{why}）。</translation>
</message>
<message>
<source>No requests are left: next try in {left}</source>
<translation>残りリクエストがありません：次の試行まで{left}</translation>
</message>
<message>
<source>No requests yet</source>
<translation>リクエストはまだありません</translation>
</message>
<message>
<source>No secure connection to {host} is possible: its certificate is not trusted.</source>
<translation>{host}に安全に接続できません。証明書が信頼されていません。</translation>
</message>
<message>
<source>No sold pet has stock</source>
<translation>在庫のある売却済みペットはありません</translation>
</message>
<message>
<source>No sound</source>
<translation>音なし</translation>
</message>
<message>
<source>No stock</source>
<translation>在庫なし</translation>
</message>
<message>
<source>No stock entry matches {filter}</source>
<translation>{filter}に一致する在庫データはありません</translation>
</message>
<message>
<source>No stock is below zero</source>
<translation>マイナス在庫はありません</translation>
</message>
<message>
<source>No stock is low</source>
<translation>在庫不足はありません</translation>
</message>
<message>
<source>No stock is low.</source>
<translation>在庫不足はありません。</translation>
</message>
<message>
<source>No unknown codes</source>
<translation>未登録のコードはありません</translation>
</message>
<message>
<source>No.</source>
<translation>No.</translation>
</message>
<message>
<source>None</source>
<translation>なし</translation>
</message>
<message>
<source>None</source>
<comment>no code on a label</comment>
<translation>なし</translation>
</message>
<message>
<source>None in stock.</source>
<translation>在庫がありません。</translation>
</message>
<message>
<source>None is shown; all are safe there.</source>
<translation>表示できるものはありませんが、データはすべてサービスに残っています。</translation>
</message>
<message>
<source>None left</source>
<translation>在庫切れ</translation>
</message>
<message>
<source>None of it is on this computer yet.</source>
<translation>このコンピューターにはまだ何もありません。</translation>
</message>
<message>
<source>None of these rows fits the filter any more. Refresh takes them away.</source>
<translation>これらの行はどれも、もうフィルターに一致しません。更新すると消えます。</translation>
</message>
<message numerus="yes">
<source>None of {n} changes matches.</source>
<translation>
<numerusform>変更{n}件の中に、条件に合うものはありません。</numerusform>
</translation>
</message>
<message>
<source>None of {things} can be shown</source>
<translation>表示できる{things}がありません</translation>
</message>
<message>
<source>Not all categories have been read: whether there is this one is not known.</source>
<translation>すべてのカテゴリが読み込まれたわけではないため、このカテゴリがあるかどうかは不明です。</translation>
</message>
<message>
<source>Not all of the list has been read: whether there is a record #{id} is not known.</source>
<translation>リストのすべてが読み込まれたわけではないため、レコード#{id}があるかどうかは不明です。</translation>
</message>
<message>
<source>Not all pets have been read: whether there is this one is not known.</source>
<translation>すべてのペットが読み込まれたわけではないため、このペットがいるかどうかは不明です。</translation>
</message>
<message>
<source>Not among the pets that are counted: tick it, or leave it</source>
<translation>棚卸の対象外のペット：チェックするか、そのままにしてください</translation>
</message>
<message>
<source>Not available now.</source>
<translation>今は使えません。</translation>
</message>
<message>
<source>Not booked yet</source>
<translation>未反映</translation>
</message>
<message>
<source>Not booked yet: {typed} is still in the field. Enter takes it, Esc clears it</source>
<translation>まだ計上されていません：{typed}が欄に残っています。Enterで確定、Escで消去します</translation>
</message>
<message>
<source>Not checked, because not all of it is here: {lists}.</source>
<translation>ここに一部しかないため、チェックしていません：{lists}。</translation>
</message>
<message>
<source>Not checked: something else is in the way.</source>
<translation>チェックしていません：先に解決すべき問題があります。</translation>
</message>
<message>
<source>Not chosen</source>
<translation>未選択</translation>
</message>
<message>
<source>Not compared with the shop since it was counted</source>
<translation>カウント後、ショップと照合していません</translation>
</message>
<message>
<source>Not compared with the shop yet</source>
<translation>まだショップと照合していません</translation>
</message>
<message>
<source>Not counted, because not all of it is here: {lists}.</source>
<translation>ここに一部しかないため、集計していません：{lists}。</translation>
</message>
<message>
<source>Not found among the fields of {things}: {fields}.</source>
<translation>{things}の項目に見つからないもの：{fields}。</translation>
</message>
<message>
<source>Not known</source>
<translation>不明</translation>
</message>
<message>
<source>Not known.</source>
<translation>不明です。</translation>
</message>
<message>
<source>Not low</source>
<translation>不足なし</translation>
</message>
<message>
<source>Not offered by the service: {lists}.</source>
<translation>サービスが提供していないもの：{lists}。</translation>
</message>
<message>
<source>Not possible without it: {what}.</source>
<translation>これがないと使えない操作：{what}。</translation>
</message>
<message>
<source>Not possible: {what}. {endpoint} was not taken: {why}.</source>
<translation>使えない操作：{what}。{endpoint}は採用しませんでした：{why}。</translation>
</message>
<message>
<source>Not saved yet</source>
<translation>未保存</translation>
</message>
<message>
<source>Not saved:</source>
<translation>未保存：</translation>
</message>
<message>
<source>Not saved: the disk of this computer takes nothing. Free some space, then go on.</source>
<translation>保存できません：このコンピューターのディスクに書き込めません。空きを増やしてから続けてください。</translation>
</message>
<message>
<source>Not saved: this computer’s disk takes nothing more</source>
<translation>保存できません：このコンピューターのディスクにこれ以上書き込めません</translation>
</message>
<message>
<source>Not sent yet</source>
<translation>未送信</translation>
</message>
<message>
<source>Not sent: {said}. Your change is kept here.</source>
<translation>未送信：{said}。変更はここに残っています。</translation>
</message>
<message>
<source>Not sent: {said}. {record} is kept here</source>
<translation>未送信：{said}。{record}はここに残っています</translation>
</message>
<message>
<source>Not tried: there is nothing to read with it.</source>
<translation>試していません：このキーで読み取れるものがありません。</translation>
</message>
<message>
<source>Not used</source>
<translation>使わない</translation>
</message>
<message>
<source>Not wholly read yet: {lists}.</source>
<translation>まだすべては読み取っていないもの：{lists}。</translation>
</message>
<message>
<source>Note</source>
<translation>備考</translation>
</message>
<message>
<source>Note on this count</source>
<translation>この棚卸の備考</translation>
</message>
<message>
<source>Nothing begins with {text}.</source>
<translation>{text}で始まるものはありません。</translation>
</message>
<message>
<source>Nothing begins with {text}. Use: {words}.</source>
<translation>{text}で始まるものはありません。使える語：{words}。</translation>
</message>
<message>
<source>Nothing can change backwards.</source>
<translation>過去に向かって比較することはできません。</translation>
</message>
<message>
<source>Nothing changed</source>
<translation>変更はありません</translation>
</message>
<message>
<source>Nothing changed between {then} and {now}.</source>
<translation>{then}から{now}までの変更はありません。</translation>
</message>
<message>
<source>Nothing changed since {time}, when the history began.</source>
<translation>履歴が始まった{time}以降、変更はありません。</translation>
</message>
<message>
<source>Nothing changed since {time}.</source>
<translation>{time}以降、変更はありません。</translation>
</message>
<message>
<source>Nothing changes at the service.</source>
<translation>サービス側では何も変わりません。</translation>
</message>
<message>
<source>Nothing else is sent until it is answered.</source>
<translation>応答があるまで、他には何も送信しません。</translation>
</message>
<message>
<source>Nothing found for {text}</source>
<translation>{text}に一致するものはありません</translation>
</message>
<message>
<source>Nothing found for {text}; not all of the shop is here</source>
<translation>{text}に一致するものはありません（ここにあるのはショップの一部だけです）</translation>
</message>
<message numerus="yes">
<source>Nothing here belongs to them.</source>
<translation>
<numerusform>関連するものはありません。</numerusform>
</translation>
</message>
<message>
<source>Nothing here needs attention</source>
<translation>要対応のものはありません</translation>
</message>
<message>
<source>Nothing here was changed today</source>
<translation>今日変更されたものはありません</translation>
</message>
<message>
<source>Nothing here was removed or overwritten; the rows read before stay.</source>
<translation>ここでは何も削除も上書きもしていません。前に読み取った行は残ります。</translation>
</message>
<message>
<source>Nothing in it was waiting to be sent. Only the list of changes is shorter now.</source>
<translation>送信待ちのものはありませんでした。変更の一覧が短くなっただけです。</translation>
</message>
<message>
<source>Nothing is due this week</source>
<translation>今週発送予定のものはありません</translation>
</message>
<message>
<source>Nothing is lost by waiting. {saved}</source>
<translation>待っても失われるものはありません。{saved}</translation>
</message>
<message>
<source>Nothing is low</source>
<translation>在庫不足なし</translation>
</message>
<message>
<source>Nothing is on this computer yet</source>
<translation>このコンピューターにはまだ何もありません</translation>
</message>
<message>
<source>Nothing is saved yet: a preview comes next.</source>
<translation>まだ保存されません。次にプレビューを表示します。</translation>
</message>
<message>
<source>Nothing is sent to this shop. Change this in File &gt; Connection settings.</source>
<translation>このショップには何も送信しません。「ファイル &gt; 接続設定」で変更できます。</translation>
</message>
<message>
<source>Nothing listens at {host}; nothing was sent.</source>
<translation>{host}で待ち受けているものがありません。何も送信していません。</translation>
</message>
<message>
<source>Nothing needs attention</source>
<translation>要対応の変更はありません</translation>
</message>
<message>
<source>Nothing proves that it was done, and the service shows what was there before. Either yours never arrived, or it arrived and somebody else set it back.</source>
<translation>行われたことを示すものがなく、サービスの内容は変更前と同じです。自分の変更が届かなかったか、届いた後に他の人が前の内容に戻したかのどちらかです。</translation>
</message>
<message>
<source>Nothing proves that it was done, and the stock is another. Either your {booked} arrived and somebody else booked too, or it never arrived.</source>
<translation>行われたことを示すものがなく、在庫は送信前とも送信後とも違う数です。自分の入出庫（{booked}）が届いて他の人も入出庫したか、自分の分が届かなかったかのどちらかです。</translation>
</message>
<message>
<source>Nothing proves that it was done, and the stock is as before. Either your {booked} never arrived, or it arrived and somebody else booked the opposite.</source>
<translation>行われたことを示すものがなく、在庫は前と同じです。自分の入出庫（{booked}）が届かなかったか、届いた後に他の人が逆の入出庫をしたかのどちらかです。</translation>
</message>
<message>
<source>Nothing proves that it was done, and the stock is as with your {booked}. Either it arrived, or it never did and somebody else booked the same.</source>
<translation>行われたことを示すものがなく、在庫は自分の入出庫（{booked}）を反映した数です。それが届いたか、届かずに他の人が同じ入出庫をしたかのどちらかです。</translation>
</message>
<message>
<source>Nothing to book: scan what came in.</source>
<translation>反映するものがありません。入荷した品をスキャンしてください。</translation>
</message>
<message>
<source>Nothing to change</source>
<translation>変更するものはありません</translation>
</message>
<message>
<source>Nothing to change: it already has this value.</source>
<translation>変更するものはありません：すでにこの値です。</translation>
</message>
<message>
<source>Nothing to paste: copy cells or a text first.</source>
<translation>貼り付けるものがありません。先にセルまたは文字列をコピーしてください。</translation>
</message>
<message>
<source>Nothing to save</source>
<translation>保存するものはありません</translation>
</message>
<message>
<source>Nothing was changed.</source>
<translation>何も変更していません。</translation>
</message>
<message>
<source>Nothing was overwritten; your change is kept here.</source>
<translation>上書きはしていません。変更はここに残っています。</translation>
</message>
<message>
<source>Nothing was read from it or written to it.</source>
<translation>そこからの読み取りも、そこへの書き込みも行っていません。</translation>
</message>
<message>
<source>Nothing was read.</source>
<translation>何も読み込まれませんでした。</translation>
</message>
<message>
<source>Nothing was seen to change in these days.</source>
<translation>この期間に検出された変更はありません。</translation>
</message>
<message>
<source>Nothing was sent, not even the key. You can read and edit the data on this computer.</source>
<translation>キーも含めて、何も送信していません。このコンピューターのデータは閲覧・編集できます。</translation>
</message>
<message>
<source>Nothing was sent.</source>
<translation>何も送信していません。</translation>
</message>
<message>
<source>Nothing was written.</source>
<translation>何も書き込んでいません。</translation>
</message>
<message>
<source>Now</source>
<translation>現在</translation>
</message>
<message>
<source>Now the network fails. You go on working; nothing is lost.</source>
<translation>ネットワークが切れました。作業は続けられ、何も失われません。</translation>
</message>
<message>
<source>Now {time}</source>
<translation>現在 {time}</translation>
</message>
<message>
<source>Numbers</source>
<translation>数値</translation>
</message>
<message>
<source>Numbers of now as of {time}.</source>
<translation>現在の数値は{time}時点のものです。</translation>
</message>
<message>
<source>OK</source>
<translation>OK</translation>
</message>
<message>
<source>OK: {checks}</source>
<translation>OK：{checks}</translation>
</message>
<message>
<source>Off</source>
<translation>オフ</translation>
</message>
<message>
<source>Offered</source>
<translation>提供</translation>
</message>
<message>
<source>Offline since {time}. The program tries again now, and keeps trying</source>
<translation>{time}からオフラインです。今もう一度試し、その後も試し続けます</translation>
</message>
<message>
<source>Offline since {time}: the service cannot be reached</source>
<translation>{time}からオフライン：サービスに接続できません</translation>
</message>
<message>
<source>Offline: the program tries again now; nothing has changed here</source>
<translation>オフライン：今もう一度試しています。ここでは何も変わっていません</translation>
</message>
<message>
<source>Old value</source>
<translation>変更前の値</translation>
</message>
<message>
<source>Olive</source>
<translation>オリーブ</translation>
</message>
<message>
<source>On</source>
<translation>オン</translation>
</message>
<message>
<source>On each label</source>
<translation>ラベルの内容</translation>
</message>
<message>
<source>On its way to the service.</source>
<translation>サービスへ送信中です。</translation>
</message>
<message>
<source>One day…</source>
<translation>日付を指定…</translation>
</message>
<message>
<source>One file at a time, please.</source>
<translation>ファイルは一度に1つだけ指定してください。</translation>
</message>
<message>
<source>One moment.</source>
<translation>お待ちください。</translation>
</message>
<message>
<source>One name per line. Saved at once, then sent.</source>
<translation>1行に1つの名前です。すぐに保存され、その後送信されます。</translation>
</message>
<message>
<source>One order for {pet}, to ship on {day}.</source>
<translation>{pet}の注文1件、{day}に発送します。</translation>
</message>
<message>
<source>One order for {pet}, to ship today.</source>
<translation>{pet}の注文1件、今日発送します。</translation>
</message>
<message>
<source>One order for {pet}.</source>
<translation>{pet}の注文1件。</translation>
</message>
<message>
<source>Only in {tabs}.</source>
<translation>{tabs}でのみ使えます。</translation>
</message>
<message>
<source>Only the history is affected; nothing else is.</source>
<translation>影響があるのは履歴だけで、他には影響ありません。</translation>
</message>
<message>
<source>Only what the list shows: {view}</source>
<translation>一覧の表示分のみ：{view}</translation>
</message>
<message numerus="yes">
<source>Only {n} in stock.</source>
<translation>
<numerusform>在庫は{n}点だけです。</numerusform>
</translation>
</message>
<message>
<source>Open</source>
<translation>開く</translation>
</message>
<message>
<source>Open &amp;log folder</source>
<translation>ログフォルダーを開く(&amp;L)</translation>
</message>
<message>
<source>Open Today</source>
<translation>「今日」を開く</translation>
</message>
<message>
<source>Open licences</source>
<translation>ライセンスを開く</translation>
</message>
<message>
<source>Open orders</source>
<translation>未完了の注文</translation>
</message>
<message>
<source>Open the demo shop</source>
<translation>デモショップを開く</translation>
</message>
<message>
<source>Open the folder</source>
<translation>フォルダーを開く</translation>
</message>
<message>
<source>Open the list</source>
<translation>一覧を開く</translation>
</message>
<message>
<source>Open the list, and make the missing changes again.</source>
<translation>一覧を開き、なくなった変更をもう一度行ってください。</translation>
</message>
<message>
<source>Open the manual (F1)</source>
<translation>マニュアルを開く (F1)</translation>
</message>
<message>
<source>Open the tab that was shown last</source>
<translation>最後に表示したタブを開く</translation>
</message>
<message>
<source>OpenAPI document</source>
<translation>OpenAPIドキュメント</translation>
</message>
<message>
<source>OpenAPI document (optional)</source>
<translation>OpenAPIドキュメント（省略可）</translation>
</message>
<message>
<source>OpenAPI documents and profiles (*.json *.yaml *.yml *.toml)</source>
<translation>OpenAPIドキュメントとプロファイル (*.json *.yaml *.yml *.toml)</translation>
</message>
<message>
<source>Operation</source>
<translation>操作</translation>
</message>
<message>
<source>Operations</source>
<translation>操作</translation>
</message>
<message>
<source>Operations of this service</source>
<translation>このサービスの操作</translation>
</message>
<message>
<source>Operations…</source>
<translation>サービスの操作…</translation>
</message>
<message>
<source>Or type it</source>
<translation>または入力</translation>
</message>
<message>
<source>Order</source>
<translation>注文</translation>
</message>
<message>
<source>Order</source>
<comment>header of the order’s id</comment>
<translation>注文</translation>
</message>
<message>
<source>Order</source>
<comment>one that has no id yet</comment>
<translation>注文</translation>
</message>
<message>
<source>Order id</source>
<translation>注文ID</translation>
</message>
<message>
<source>Order of a pet that does not exist</source>
<translation>存在しないペットの注文</translation>
</message>
<message>
<source>Order up to</source>
<translation>発注目標数</translation>
</message>
<message>
<source>Order without an id</source>
<translation>IDのない注文</translation>
</message>
<message>
<source>Order {id}</source>
<translation>注文 {id}</translation>
</message>
<message>
<source>Order {id}, {count} {pet}</source>
<translation>注文 {id}、{pet} {count}点</translation>
</message>
<message>
<source>Order {id}, {pet}</source>
<translation>注文 {id}、{pet}</translation>
</message>
<message>
<source>Order {id}: {pet}</source>
<translation>注文 {id}：{pet}</translation>
</message>
<message>
<source>Order {what} up to {most} in stock</source>
<translation>{what}の在庫の発注目標数：{most}</translation>
</message>
<message>
<source>Orders</source>
<translation>注文</translation>
</message>
<message>
<source>Orders by ship date</source>
<translation>発送日別の注文</translation>
</message>
<message>
<source>Orders by ship date, as they are now</source>
<translation>発送日別の注文（現在の状態）</translation>
</message>
<message>
<source>Orders by ship date, last week and this week</source>
<translation>発送日別の注文（先週と今週）</translation>
</message>
<message>
<source>Orders changed today</source>
<translation>今日変更された注文</translation>
</message>
<message>
<source>Orders completed</source>
<translation>注文の完了</translation>
</message>
<message>
<source>Orders for more than is in stock</source>
<translation>在庫を超える注文</translation>
</message>
<message>
<source>Orders of pets that do not exist</source>
<translation>存在しないペットの注文</translation>
</message>
<message>
<source>Orders of this pet</source>
<translation>このペットの注文</translation>
</message>
<message>
<source>Orders placed</source>
<translation>注文の受付</translation>
</message>
<message>
<source>Orders that come in at the service are shown here.</source>
<translation>サービスに届いた注文がここに表示されます。</translation>
</message>
<message>
<source>Orders that need attention</source>
<translation>要対応の注文</translation>
</message>
<message>
<source>Other changes</source>
<translation>その他の変更</translation>
</message>
<message>
<source>Other fields of the service</source>
<translation>サービスのその他の項目</translation>
</message>
<message>
<source>Other fields of {things}, which are shown in the details: {fields}.</source>
<translation>詳細に表示される、{things}の他の項目：{fields}。</translation>
</message>
<message>
<source>Others with the same key</source>
<translation>同じキーの他の利用分</translation>
</message>
<message>
<source>Outbo&amp;x</source>
<translation>送信トレイ(&amp;X)</translation>
</message>
<message>
<source>Outbox</source>
<translation>送信トレイ</translation>
</message>
<message>
<source>Overdue</source>
<translation>期限超過</translation>
</message>
<message>
<source>Overdue orders</source>
<translation>期限超過の注文</translation>
</message>
<message>
<source>Overdue orders now</source>
<translation>現在の期限超過の注文</translation>
</message>
<message numerus="yes">
<source>Overdue orders now: {n}</source>
<translation>
<numerusform>現在の期限超過の注文：{n}件</numerusform>
</translation>
</message>
<message>
<source>Own line</source>
<translation>自由記入の行</translation>
</message>
<message>
<source>Own size of labels</source>
<translation>ラベルのカスタムサイズ</translation>
</message>
<message>
<source>Own size, {columns} × {rows}, {width} × {height} mm</source>
<translation>カスタムサイズ、{columns} × {rows}、{width} × {height} mm</translation>
</message>
<message>
<source>Own size…</source>
<translation>カスタムサイズ…</translation>
</message>
<message>
<source>P&amp;ut all shown into a category…</source>
<translation>表示中のすべてにカテゴリを設定(&amp;U)…</translation>
</message>
<message>
<source>P&amp;ut into a category…</source>
<translation>カテゴリを設定(&amp;U)…</translation>
</message>
<message>
<source>PDF file</source>
<translation>PDFファイル</translation>
</message>
<message>
<source>Page of the manual</source>
<translation>マニュアルのページ</translation>
</message>
<message>
<source>Pages of the manual</source>
<translation>マニュアルのページ一覧</translation>
</message>
<message>
<source>Paste</source>
<translation>貼り付け</translation>
</message>
<message>
<source>Paste lines</source>
<translation>行を貼り付け</translation>
</message>
<message>
<source>Path</source>
<translation>パス</translation>
</message>
<message>
<source>Pause</source>
<translation>一時停止</translation>
</message>
<message>
<source>Pauses are exact all the same: they are counted, not read from a clock.</source>
<translation>一時停止の長さは正確です。時計ではなく経過時間で数えています。</translation>
</message>
<message>
<source>Pending</source>
<translation>予約中</translation>
</message>
<message>
<source>Period</source>
<translation>期間</translation>
</message>
<message>
<source>Person</source>
<translation>手動操作</translation>
</message>
<message>
<source>Pet</source>
<translation>ペット</translation>
</message>
<message>
<source>Pet Store Desktop</source>
<translation>Pet Store Desktop</translation>
</message>
<message>
<source>Pet Store Desktop did not end as it should the last time.</source>
<translation>前回、Pet Store Desktopは正しく終了しませんでした。</translation>
</message>
<message>
<source>Pet Store Desktop is free software under the MIT licence. It uses Qt and PySide6 under the GNU Lesser General Public License, version 3. They are separate libraries beside the program: you may replace them with your own, and you may take the program apart to debug such a change.</source>
<translation>Pet Store DesktopはMITライセンスのフリーソフトウェアです。QtとPySide6をGNU Lesser General Public License（LGPL）バージョン3のもとで使用しています。これらはプログラムとは別のライブラリです。ご自身のものに置き換えることができ、その変更をデバッグするためにプログラムを解析することもできます。</translation>
</message>
<message>
<source>Pet Store Desktop {version} is available: Help &gt; About Pet Store Desktop.</source>
<translation>Pet Store Desktop {version} があります：ヘルプ &gt; Pet Store Desktopについて</translation>
</message>
<message>
<source>Pet id</source>
<translation>ペットID</translation>
</message>
<message>
<source>Pets</source>
<translation>ペット</translation>
</message>
<message>
<source>Pets as the program reads them</source>
<translation>プログラムが読み取ったペット</translation>
</message>
<message>
<source>Pets found</source>
<translation>見つかったペット</translation>
</message>
<message>
<source>Pets of the same name</source>
<translation>同じ名前のペット</translation>
</message>
<message>
<source>Pets sold</source>
<translation>ペットの売却</translation>
</message>
<message>
<source>Pets without a category</source>
<translation>カテゴリのないペット</translation>
</message>
<message>
<source>Pet’s name</source>
<translation>ペットの名前</translation>
</message>
<message>
<source>Pieces in stock</source>
<translation>在庫点数</translation>
</message>
<message>
<source>Pieces in stock by category</source>
<translation>カテゴリ別の在庫点数</translation>
</message>
<message>
<source>Place order</source>
<translation>注文する</translation>
</message>
<message>
<source>Plan</source>
<translation>プラン</translation>
</message>
<message>
<source>Pr&amp;int this list…</source>
<translation>この一覧を印刷(&amp;I)…</translation>
</message>
<message>
<source>Pre&amp;ferences…</source>
<translation>環境設定(&amp;F)…</translation>
</message>
<message>
<source>Pre&amp;vious tab</source>
<translation>前のタブ(&amp;V)</translation>
</message>
<message>
<source>Preferences</source>
<translation>環境設定</translation>
</message>
<message>
<source>Preparing…</source>
<translation>準備中…</translation>
</message>
<message>
<source>Preview</source>
<translation>プレビュー</translation>
</message>
<message>
<source>Preview of the labels</source>
<translation>ラベルのプレビュー</translation>
</message>
<message numerus="yes">
<source>Preview {n} rows</source>
<translation>
<numerusform>{n}行をプレビュー</numerusform>
</translation>
</message>
<message>
<source>Preview: {page}, {start}</source>
<translation>プレビュー：{page}、{start}</translation>
</message>
<message>
<source>Preview: {what}</source>
<translation>プレビュー：{what}</translation>
</message>
<message>
<source>Previous month</source>
<translation>前の月</translation>
</message>
<message>
<source>Previous page</source>
<translation>前のページ</translation>
</message>
<message>
<source>Previous sheet</source>
<translation>前のシート</translation>
</message>
<message>
<source>Print</source>
<translation>印刷</translation>
</message>
<message>
<source>Print at 100 %, not “fit to page”. These choices are kept for the next time.</source>
<translation>「ページに合わせる」ではなく、100%で印刷してください。ここでの設定は次回も使われます。</translation>
</message>
<message>
<source>Print labels</source>
<translation>ラベルを印刷</translation>
</message>
<message>
<source>Print one to try</source>
<translation>1枚だけ試し印刷</translation>
</message>
<message>
<source>Print the changes</source>
<translation>変更を印刷</translation>
</message>
<message>
<source>Print the whole manual…</source>
<translation>マニュアル全体を印刷…</translation>
</message>
<message numerus="yes">
<source>Print {n} labels</source>
<translation>
<numerusform>ラベル{n}枚を印刷</numerusform>
</translation>
</message>
<message>
<source>Print {view}</source>
<translation>{view}を印刷</translation>
</message>
<message>
<source>Printing did not finish. Check the printer, or save a PDF.</source>
<translation>印刷が完了しませんでした。プリンターを確認するか、PDFとして保存してください。</translation>
</message>
<message>
<source>Print…</source>
<translation>印刷…</translation>
</message>
<message>
<source>Profiles (*.toml)</source>
<translation>プロファイル (*.toml)</translation>
</message>
<message>
<source>Program</source>
<translation>プログラム</translation>
</message>
<message>
<source>Progress</source>
<translation>進行状況</translation>
</message>
<message>
<source>Protocol as &amp;CSV…</source>
<translation>棚卸記録をCSVで保存(&amp;C)…</translation>
</message>
<message>
<source>Protocol as &amp;PDF…</source>
<translation>棚卸記録をPDFで保存(&amp;P)…</translation>
</message>
<message>
<source>Protocol of the count</source>
<translation>棚卸記録</translation>
</message>
<message>
<source>Proxy</source>
<translation>プロキシ</translation>
</message>
<message>
<source>Put away</source>
<translation>非表示</translation>
</message>
<message>
<source>Put away until there are more: {what}</source>
<translation>増えるまで非表示：{what}</translation>
</message>
<message>
<source>Put it back, or choose another one for the connection.</source>
<translation>元の場所に戻すか、接続に別のファイルを選んでください。</translation>
</message>
<message>
<source>QR</source>
<translation>QR</translation>
</message>
<message>
<source>Quantity</source>
<translation>数量</translation>
</message>
<message>
<source>Quantity can’t be negative.</source>
<translation>数量を負の値にはできません。</translation>
</message>
<message>
<source>Quit the program and start it again.</source>
<translation>プログラムを終了し、もう一度起動してください。</translation>
</message>
<message>
<source>R&amp;efresh</source>
<translation>更新(&amp;E)</translation>
</message>
<message>
<source>Re&amp;quests</source>
<translation>リクエスト(&amp;Q)</translation>
</message>
<message>
<source>Read {age}.</source>
<translation>読み取り：{age}。</translation>
</message>
<message>
<source>Read-only</source>
<translation>読み取り専用</translation>
</message>
<message>
<source>Read-only, not changed: {columns}.</source>
<translation>読み取り専用のため変更しません：{columns}。</translation>
</message>
<message>
<source>Read-only: send no change to this shop</source>
<translation>読み取り専用：このショップに変更を送信しない</translation>
</message>
<message>
<source>Reading one category</source>
<translation>カテゴリ1件の読み取り</translation>
</message>
<message>
<source>Reading one order</source>
<translation>注文1件の読み取り</translation>
</message>
<message>
<source>Reading one pet</source>
<translation>ペット1件の読み取り</translation>
</message>
<message>
<source>Reading the history…</source>
<translation>履歴を読み取り中…</translation>
</message>
<message>
<source>Reading the list of categories</source>
<translation>カテゴリの一覧の読み取り</translation>
</message>
<message>
<source>Reading the list of orders</source>
<translation>注文の一覧の読み取り</translation>
</message>
<message>
<source>Reading the list of pets</source>
<translation>ペットの一覧の読み取り</translation>
</message>
<message>
<source>Reading the shop: {done}</source>
<translation>ショップを読み取り中：{done}</translation>
</message>
<message>
<source>Reading the shop: {done} of {total}</source>
<translation>ショップを読み取り中：{done}/{total}</translation>
</message>
<message>
<source>Reading the stock list once, to see what moved since. Press the button again to go on without it.</source>
<translation>カウント後の動きを調べるため、在庫の一覧を一度読み取っています。読み取らずに進むには、ボタンをもう一度押してください。</translation>
</message>
<message>
<source>Reading the stock of all pets</source>
<translation>全ペットの在庫の読み取り</translation>
</message>
<message>
<source>Reading the stock of one pet</source>
<translation>ペット1件の在庫の読み取り</translation>
</message>
<message>
<source>Reading was stopped</source>
<translation>読み取りを中止しました</translation>
</message>
<message>
<source>Reading {things}</source>
<translation>{things}を読み取り中</translation>
</message>
<message>
<source>Reads a little of each list and changes nothing.</source>
<translation>各一覧を少しだけ読み取ります。変更は行いません。</translation>
</message>
<message>
<source>Reads a small file once a week. Nothing about you or your shop is sent.</source>
<translation>週に一度、小さなファイルを読み込みます。あなたやショップの情報は送信されません。</translation>
</message>
<message>
<source>Reason</source>
<translation>理由</translation>
</message>
<message>
<source>Receive</source>
<translation>入荷</translation>
</message>
<message>
<source>Receive goods</source>
<translation>入荷</translation>
</message>
<message>
<source>Received</source>
<translation>入荷</translation>
</message>
<message>
<source>Received</source>
<comment>a delivery</comment>
<translation>入荷</translation>
</message>
<message>
<source>Received: {note}</source>
<translation>入荷：{note}</translation>
</message>
<message>
<source>Recognise scans everywhere</source>
<translation>どこでもスキャンを認識する</translation>
</message>
<message>
<source>Record</source>
<translation>レコード</translation>
</message>
<message>
<source>Record or id</source>
<translation>レコードまたはID</translation>
</message>
<message>
<source>Record {id} may be a colleague’s: it looks like yours, but the service never confirmed yours. It is not deleted unless you choose to.</source>
<translation>レコード {id} は他の担当者のものかもしれません。内容は自分のものと同じですが、サービスから自分の作成の確認が届いていません。選択しない限り、削除しません。</translation>
</message>
<message>
<source>Records</source>
<translation>レコード</translation>
</message>
<message>
<source>Records of this kind do not have the field that was entered.</source>
<translation>入力された項目は、この種類のレコードにはありません。</translation>
</message>
<message>
<source>Records set aside</source>
<translation>別保管のレコード</translation>
</message>
<message>
<source>Redo</source>
<translation>やり直し</translation>
</message>
<message>
<source>Redo: {what}</source>
<translation>やり直し：{what}</translation>
</message>
<message>
<source>Redone: {what}</source>
<translation>やり直しました：{what}</translation>
</message>
<message>
<source>Refresh</source>
<translation>更新</translation>
</message>
<message>
<source>Refresh</source>
<comment>what requests were used for</comment>
<translation>更新</translation>
</message>
<message>
<source>Refresh the list to see what is there now.</source>
<translation>一覧を更新して、現在の内容を確認してください。</translation>
</message>
<message>
<source>Refresh the list.</source>
<translation>一覧を更新してください。</translation>
</message>
<message>
<source>Refused</source>
<translation>拒否</translation>
</message>
<message>
<source>Refused: {said}. Your change is kept here.</source>
<translation>拒否：{said}。変更はここに残っています。</translation>
</message>
<message>
<source>Refused: {said}. {record} is kept here</source>
<translation>拒否：{said}。{record}はここに残っています</translation>
</message>
<message>
<source>Rehearsal</source>
<translation>リハーサル</translation>
</message>
<message>
<source>Rehearsal of {shop} — Pet Store Desktop</source>
<translation>{shop}のリハーサル — Pet Store Desktop</translation>
</message>
<message>
<source>Rehearsal:</source>
<translation>リハーサル：</translation>
</message>
<message>
<source>Rehearsal: {words}</source>
<translation>リハーサル：{words}</translation>
</message>
<message>
<source>Rehearse</source>
<translation>リハーサル</translation>
</message>
<message>
<source>Rehearse…</source>
<translation>リハーサル…</translation>
</message>
<message>
<source>Rem&amp;ove from the sort</source>
<translation>並べ替えから外す(&amp;O)</translation>
</message>
<message>
<source>Remove them from the address, and enter the password as the key.</source>
<translation>アドレスから取り除き、パスワードはキーとして入力してください。</translation>
</message>
<message>
<source>Removed by the service</source>
<translation>サービスが廃止</translation>
</message>
<message>
<source>Removed by the service on {day}</source>
<translation>{day}にサービスが廃止</translation>
</message>
<message>
<source>Rename</source>
<translation>名前を変更</translation>
</message>
<message>
<source>Rename {things}</source>
<translation>{things}の名前を変更</translation>
</message>
<message>
<source>Rename {view}</source>
<translation>{view}の名前を変更</translation>
</message>
<message>
<source>Rename {view}…</source>
<translation>{view}の名前を変更…</translation>
</message>
<message>
<source>Repeated below; that row counts</source>
<translation>下の行と重複：下の行を使います</translation>
</message>
<message>
<source>Replace</source>
<translation>置き換え</translation>
</message>
<message>
<source>Report</source>
<translation>レポート</translation>
</message>
<message>
<source>Report, {days}</source>
<translation>レポート、{days}</translation>
</message>
<message>
<source>Reports &amp;by week and month</source>
<translation>週報・月報(&amp;B)</translation>
</message>
<message>
<source>Request</source>
<translation>リクエスト</translation>
</message>
<message>
<source>Requests</source>
<translation>リクエスト</translation>
</message>
<message>
<source>Requests cannot be recorded: {file} cannot be used.</source>
<translation>リクエストを記録できません：{file}を使えません。</translation>
</message>
<message>
<source>Requests go through {proxy}. It sees where they go, but neither the key nor the content.</source>
<translation>リクエストは{proxy}を経由します。プロキシから見えるのは送信先だけで、キーや内容は見えません。</translation>
</message>
<message>
<source>Requests le&amp;ft</source>
<translation>残りリクエスト(&amp;F)</translation>
</message>
<message>
<source>Requests left</source>
<translation>残りリクエスト</translation>
</message>
<message>
<source>Requests per day</source>
<translation>1日あたりのリクエスト</translation>
</message>
<message>
<source>Requests per minute</source>
<translation>1分あたりのリクエスト</translation>
</message>
<message>
<source>Requests today</source>
<translation>今日のリクエスト</translation>
</message>
<message>
<source>Requests today: {used}. {words}</source>
<translation>今日のリクエスト：{used}。{words}</translation>
</message>
<message>
<source>Requests: this minute {minute}; today {day}</source>
<translation>リクエスト：この1分 {minute}、今日 {day}</translation>
</message>
<message>
<source>Res&amp;tore built-in views</source>
<translation>標準のビューを復元(&amp;T)</translation>
</message>
<message>
<source>Reserve and order</source>
<translation>予約して注文</translation>
</message>
<message>
<source>Reserve for a caller</source>
<translation>電話予約</translation>
</message>
<message>
<source>Reserve for a caller…</source>
<translation>電話予約…</translation>
</message>
<message>
<source>Restart the program.</source>
<translation>プログラムを再起動してください。</translation>
</message>
<message>
<source>Result</source>
<translation>結果</translation>
</message>
<message>
<source>Resume</source>
<translation>再開</translation>
</message>
<message>
<source>Resume &amp;now…</source>
<translation>今すぐ再開(&amp;N)…</translation>
</message>
<message>
<source>Resume now</source>
<translation>今すぐ再開</translation>
</message>
<message>
<source>Resume now…</source>
<translation>今すぐ再開…</translation>
</message>
<message>
<source>Review variances</source>
<translation>差異を確認</translation>
</message>
<message numerus="yes">
<source>Review {n} variances</source>
<translation>
<numerusform>差異{n}件を確認</numerusform>
</translation>
</message>
<message>
<source>Risk a ban and resume now?</source>
<translation>利用停止のおそれがありますが、今すぐ再開しますか？</translation>
</message>
<message>
<source>Roll, {width} × {height} mm</source>
<translation>ロール、{width} × {height} mm</translation>
</message>
<message>
<source>Rose</source>
<translation>ローズ</translation>
</message>
<message>
<source>Row</source>
<translation>行</translation>
</message>
<message>
<source>Rows</source>
<translation>行</translation>
</message>
<message>
<source>Rows of the file</source>
<translation>ファイルの行</translation>
</message>
<message>
<source>Rows of the file: {changed} to change, {new} new, {same} the same, {wrong} wrong.</source>
<translation>ファイルの行：変更{changed}件、新規{new}件、変更なし{same}件、エラー{wrong}件。</translation>
</message>
<message>
<source>Rows show as they come.</source>
<translation>届いた行から順に表示します。</translation>
</message>
<message>
<source>Runs on</source>
<translation>動作環境</translation>
</message>
<message>
<source>Rust</source>
<translation>さび色</translation>
</message>
<message>
<source>Same as system</source>
<translation>システムに合わせる</translation>
</message>
<message>
<source>Same name twice</source>
<translation>名前の重複</translation>
</message>
<message>
<source>Save</source>
<translation>保存</translation>
</message>
<message>
<source>Save &amp;changes of this view</source>
<translation>このビューの変更を保存(&amp;C)</translation>
</message>
<message>
<source>Save PDF</source>
<translation>PDFを保存</translation>
</message>
<message>
<source>Save anyway</source>
<translation>このまま保存</translation>
</message>
<message>
<source>Save as CSV</source>
<translation>CSVとして保存</translation>
</message>
<message>
<source>Save as PDF</source>
<translation>PDFとして保存</translation>
</message>
<message>
<source>Save as profile</source>
<translation>プロファイルとして保存</translation>
</message>
<message>
<source>Save as profile…</source>
<translation>プロファイルとして保存…</translation>
</message>
<message>
<source>Save it as a file, keep only the parts about pets, categories, orders and stock, and choose that file as the connection’s document.</source>
<translation>ファイルとして保存し、ペット・カテゴリ・注文・在庫に関する部分だけを残して、そのファイルを接続のドキュメントとして選んでください。</translation>
</message>
<message>
<source>Save the protocol as CSV</source>
<translation>棚卸記録をCSVとして保存</translation>
</message>
<message>
<source>Save the table as CSV or XLSX, and import that.</source>
<translation>表をCSVまたはXLSXとして保存し、それをインポートしてください。</translation>
</message>
<message>
<source>Save this choice of operations?</source>
<translation>この操作の選択を保存しますか？</translation>
</message>
<message>
<source>Save view</source>
<translation>ビューを保存</translation>
</message>
<message>
<source>Save {changes}</source>
<translation>{changes}を保存</translation>
</message>
<message numerus="yes">
<source>Save {n} values in {changes}</source>
<translation>
<numerusform>{n}個の値を{changes}として保存</numerusform>
</translation>
</message>
<message>
<source>Save {view}</source>
<translation>{view}を保存</translation>
</message>
<message>
<source>Saved as you count: closing the program loses nothing</source>
<translation>カウントと同時に保存：プログラムを閉じても失われません</translation>
</message>
<message>
<source>Saved as you scan: closing the program loses nothing</source>
<translation>スキャンと同時に保存：プログラムを閉じても失われません</translation>
</message>
<message>
<source>Saved at once, then sent: 1 request.</source>
<translation>すぐに保存し、その後送信します：リクエスト1件。</translation>
</message>
<message>
<source>Saved changes are safe. Until this is solved nothing can be changed or sent.</source>
<translation>保存済みの変更は安全です。解決するまで、変更も送信もできません。</translation>
</message>
<message>
<source>Saved on this computer</source>
<translation>このコンピューターに保存済み</translation>
</message>
<message>
<source>Saved on this computer at once, then sent.</source>
<translation>このコンピューターにすぐ保存し、その後送信します。</translation>
</message>
<message>
<source>Saved on this computer {time}.</source>
<translation>{time}にこのコンピューターに保存しました。</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out after one test request.</source>
<translation>{time}にこのコンピューターに保存しました。テストリクエストの後に送信します。</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out after {until}, when the ban is over.</source>
<translation>{time}にこのコンピューターに保存しました。利用停止が終わる{until}以降に送信します。</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out after {until}, with the next day’s requests.</source>
<translation>{time}にこのコンピューターに保存しました。{until}以降、翌日分のリクエストで送信します。</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out after {until}: the rest of today’s requests is kept for you.</source>
<translation>{time}にこのコンピューターに保存しました。{until}以降に送信します。今日の残りリクエストは手動操作用に確保しています。</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out in its turn.</source>
<translation>{time}にこのコンピューターに保存しました。順番が来たら送信します。</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out next.</source>
<translation>{time}にこのコンピューターに保存しました。次に送信します。</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out once there is a key that works.</source>
<translation>{time}にこのコンピューターに保存しました。使えるキーがあれば送信します。</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out when the ban is over.</source>
<translation>{time}にこのコンピューターに保存しました。利用停止が終わると送信します。</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out when the pause is over.</source>
<translation>{time}にこのコンピューターに保存しました。一時停止が終わると送信します。</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out when the service has requests left again.</source>
<translation>{time}にこのコンピューターに保存しました。サービスの残りリクエストが回復すると送信します。</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out when the service takes requests again.</source>
<translation>{time}にこのコンピューターに保存しました。サービスがリクエストを受け付けるようになると送信します。</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out with the next day’s requests.</source>
<translation>{time}にこのコンピューターに保存しました。翌日分のリクエストで送信します。</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out with the next minute’s requests.</source>
<translation>{time}にこのコンピューターに保存しました。次の1分のリクエストで送信します。</translation>
</message>
<message>
<source>Saved on this computer {time}. Its job is paused.</source>
<translation>{time}にこのコンピューターに保存しました。ジョブは一時停止中です。</translation>
</message>
<message>
<source>Saved on this computer {time}. There is no key yet, so nothing is sent (File &gt; Change key).</source>
<translation>{time}にこのコンピューターに保存しました。キーがまだないため、何も送信しません（ファイル &gt; キーを変更）。</translation>
</message>
<message>
<source>Saved on this computer {time}. Waits for an earlier change that needs attention.</source>
<translation>{time}にこのコンピューターに保存しました。要対応の前の変更を待っています。</translation>
</message>
<message>
<source>Saved on this computer {time}. Waits for the network.</source>
<translation>{time}にこのコンピューターに保存しました。ネットワークの復旧を待っています。</translation>
</message>
<message>
<source>Saved on this computer {time}. Waits: the rest of today’s requests is kept for you.</source>
<translation>{time}にこのコンピューターに保存しました。待機中です。今日の残りリクエストは手動操作用に確保しています。</translation>
</message>
<message>
<source>Saved on this computer. Not sent: this connection is read-only.</source>
<translation>このコンピューターに保存されました。この接続は読み取り専用のため送信されません。</translation>
</message>
<message>
<source>Saves the filter, sort and columns of this list on this computer.</source>
<translation>この一覧のフィルター、並べ替え、列をこのコンピューターに保存します。</translation>
</message>
<message>
<source>Scan a code that is missing: you are asked for its pet again.</source>
<translation>登録のないコードをスキャンすると、どのペットかをもう一度尋ねます。</translation>
</message>
<message>
<source>Scan the first pet, or type its id or name.</source>
<translation>最初のペットをスキャンするか、IDまたは名前を入力してください。</translation>
</message>
<message>
<source>Scan the next pet, or type its id or name.</source>
<translation>次のペットをスキャンするか、IDまたは名前を入力してください。</translation>
</message>
<message>
<source>Scan what came in</source>
<translation>入荷した品をスキャンしてください</translation>
</message>
<message>
<source>Scan, or type an id or a name</source>
<translation>スキャン、またはIDか名前を入力</translation>
</message>
<message>
<source>Scanned at</source>
<translation>スキャン時刻</translation>
</message>
<message>
<source>Scanned {what}. Close this window first, then scan again.</source>
<translation>{what}をスキャンしました。先にこのウィンドウを閉じてから、もう一度スキャンしてください。</translation>
</message>
<message>
<source>Scanner</source>
<translation>スキャナー</translation>
</message>
<message>
<source>Scans</source>
<translation>スキャン回数</translation>
</message>
<message>
<source>Scene</source>
<translation>シナリオ</translation>
</message>
<message>
<source>Search or &amp;jump to…</source>
<translation>検索または移動(&amp;J)…</translation>
</message>
<message>
<source>Search the manual</source>
<translation>マニュアルを検索</translation>
</message>
<message>
<source>Searching…</source>
<translation>検索中…</translation>
</message>
<message>
<source>See the service’s documentation; it often ends in /v1.</source>
<translation>サービスの説明書を参照してください。末尾が/v1のことがよくあります。</translation>
</message>
<message>
<source>Seen</source>
<translation>検出日時</translation>
</message>
<message>
<source>Select &amp;all</source>
<translation>すべて選択(&amp;A)</translation>
</message>
<message>
<source>Select &amp;whole rows</source>
<translation>行全体を選択(&amp;W)</translation>
</message>
<message>
<source>Select cells that form a block to copy them.</source>
<translation>コピーするには、セルを長方形の範囲で選択してください。</translation>
</message>
<message>
<source>Select pets in the Pets or Inventory list, then press Ctrl+L.</source>
<translation>「ペット」または「在庫」の一覧でペットを選択し、Ctrl+Lを押してください。</translation>
</message>
<message>
<source>Select rows first.</source>
<translation>先に行を選択してください。</translation>
</message>
<message>
<source>Select whole columns</source>
<translation>列全体を選択</translation>
</message>
<message>
<source>Selected: {rows}</source>
<translation>選択：{rows}</translation>
</message>
<message>
<source>Semicolon</source>
<translation>セミコロン</translation>
</message>
<message>
<source>Send again</source>
<translation>再送信</translation>
</message>
<message>
<source>Send again sends it now; It was done sends nothing.</source>
<translation>「再送信」を選ぶと今送信し、「届いていた」を選ぶと何も送信しません。</translation>
</message>
<message>
<source>Send first</source>
<translation>先に送信</translation>
</message>
<message>
<source>Send {changes}</source>
<translation>{changes}を送信</translation>
</message>
<message numerus="yes">
<source>Send {n}</source>
<translation>
<numerusform>{n}件を送信</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Send {n} again</source>
<translation>
<numerusform>{n}件を再送信</numerusform>
</translation>
</message>
<message>
<source>Sending is paused for {left}</source>
<translation>送信は一時停止中です：あと{left}</translation>
</message>
<message>
<source>Sending is paused until {time}.</source>
<translation>送信は{time}まで一時停止中です。</translation>
</message>
<message>
<source>Sending is paused.</source>
<translation>送信は一時停止中です。</translation>
</message>
<message>
<source>Sent</source>
<translation>送信済み</translation>
</message>
<message>
<source>Sent to the printer</source>
<translation>プリンターに送りました</translation>
</message>
<message>
<source>Sent {seen}, no answer came. Look in the list whether it is there.</source>
<translation>{seen}に送信しましたが、応答がありませんでした。登録されているか、一覧で確認してください。</translation>
</message>
<message>
<source>Sent {time}.</source>
<translation>{time}に送信しました。</translation>
</message>
<message>
<source>Sent {time}. The record may be a colleague’s: it has the values that you entered, but the service never confirmed yours.</source>
<translation>{time}に送信しました。このレコードは同僚のものかもしれません。入力した値と同じですが、サービスは送信されたものを確認していません。</translation>
</message>
<message>
<source>Sent {time}. Undone since.</source>
<translation>{time}に送信しました。その後元に戻しました。</translation>
</message>
<message>
<source>Sentence copied</source>
<translation>案内文をコピーしました</translation>
</message>
<message>
<source>Separator</source>
<translation>区切り文字</translation>
</message>
<message>
<source>Server response</source>
<translation>サーバーの応答</translation>
</message>
<message>
<source>Set</source>
<translation>設定</translation>
</message>
<message>
<source>Set &amp;sold</source>
<translation>売却済みにする(&amp;S)</translation>
</message>
<message>
<source>Set a&amp;vailable</source>
<translation>販売中にする(&amp;V)</translation>
</message>
<message>
<source>Set all stock shown to &amp;0…</source>
<translation>表示中の在庫をすべて0にする(&amp;0)…</translation>
</message>
<message>
<source>Set an http proxy (HTTPS_PROXY), or exclude this service (NO_PROXY). Then restart the program.</source>
<translation>httpプロキシを設定するか（HTTPS_PROXY）、このサービスを除外して（NO_PROXY）、プログラムを再起動してください。</translation>
</message>
<message>
<source>Set minimums…</source>
<translation>最低在庫を設定…</translation>
</message>
<message>
<source>Set one up to store the key. Until then the program asks for it at each start.</source>
<translation>キーを保管するには、キーリングを設定してください。それまでは起動のたびにキーの入力が必要です。</translation>
</message>
<message>
<source>Set one up, or give the key in the variable PETSTORE_API_KEY.</source>
<translation>キーリングを設定するか、環境変数PETSTORE_API_KEYでキーを渡してください。</translation>
</message>
<message>
<source>Set pendin&amp;g</source>
<translation>予約中にする(&amp;G)</translation>
</message>
<message>
<source>Set stock to &amp;0…</source>
<translation>在庫を0にする(&amp;0)…</translation>
</message>
<message>
<source>Set the minimum stock again (Shop &gt; Minimum stock).</source>
<translation>最低在庫を設定し直してください（ショップ &gt; 最低在庫）。</translation>
</message>
<message>
<source>Set them in its address (HTTPS_PROXY=http://name:password@proxy). Then restart the program.</source>
<translation>プロキシのアドレスに設定し（HTTPS_PROXY=http://name:password@proxy）、プログラムを再起動してください。</translation>
</message>
<message>
<source>Set these values again, or connect again under the same name and address.</source>
<translation>これらの値を設定し直すか、同じ名前とアドレスでもう一度接続してください。</translation>
</message>
<message>
<source>Set {things} to {value}</source>
<translation>{things}を{value}に設定</translation>
</message>
<message>
<source>Several categories have this name: enter the id.</source>
<translation>この名前のカテゴリが複数あります。IDを入力してください。</translation>
</message>
<message>
<source>Several pets have {code}</source>
<translation>{code}のペットが複数あります</translation>
</message>
<message>
<source>Several pets have {code}. Which one is it?</source>
<translation>{code}のペットが複数あります。どのペットですか？</translation>
</message>
<message>
<source>Sheet</source>
<translation>シート</translation>
</message>
<message>
<source>Sheet</source>
<comment>of a workbook</comment>
<translation>シート</translation>
</message>
<message>
<source>Sheet {page} of {pages}</source>
<translation>シート {page}/{pages}</translation>
</message>
<message>
<source>Sheet, height</source>
<translation>シートの高さ</translation>
</message>
<message>
<source>Sheet, width</source>
<translation>シートの幅</translation>
</message>
<message>
<source>Shift JIS, Japanese</source>
<translation>日本語（Shift JIS）</translation>
</message>
<message>
<source>Shift+F5</source>
<translation>Shift+F5</translation>
</message>
<message>
<source>Ship date</source>
<translation>発送日</translation>
</message>
<message>
<source>Shop</source>
<translation>ショップ</translation>
</message>
<message>
<source>Show</source>
<translation>表示</translation>
</message>
<message>
<source>Show all changes</source>
<translation>すべての変更を表示</translation>
</message>
<message>
<source>Show each request</source>
<translation>リクエストを1件ずつ表示</translation>
</message>
<message>
<source>Show its o&amp;rders</source>
<translation>注文を表示(&amp;R)</translation>
</message>
<message>
<source>Show me, in a minute and a half</source>
<translation>1分半で見る</translation>
</message>
<message>
<source>Show outbox</source>
<translation>送信トレイを表示</translation>
</message>
<message>
<source>Show the report</source>
<translation>レポートを表示</translation>
</message>
<message>
<source>Shown: {rows}</source>
<translation>表示中：{rows}</translation>
</message>
<message>
<source>Shows the requests left and who used them</source>
<translation>残りのリクエスト数と使用者を表示します</translation>
</message>
<message>
<source>Signs such as | and ! work in the filters below the headers.</source>
<translation>| や ! などの記号は、見出しの下のフィルターで使えます。</translation>
</message>
<message>
<source>Since</source>
<translation>ステータスの日時</translation>
</message>
<message>
<source>Since you left</source>
<translation>前回以降</translation>
</message>
<message>
<source>Since {time}: {parts}.</source>
<translation>{time}以降：{parts}。</translation>
</message>
<message>
<source>Slate</source>
<translation>青灰</translation>
</message>
<message>
<source>Sold</source>
<translation>売却済み</translation>
</message>
<message>
<source>Sold pets with stock</source>
<translation>在庫のある売却済みペット</translation>
</message>
<message>
<source>Sold with stock</source>
<translation>売却済みで在庫あり</translation>
</message>
<message>
<source>Some name categories that may be newer than the list of categories. Refresh the categories to tell.</source>
<translation>カテゴリのリストより新しい可能性のあるカテゴリを参照するものがあります。確認するにはカテゴリを更新してください。</translation>
</message>
<message>
<source>Some name pets that may be newer than the list of pets. Refresh the pets to tell.</source>
<translation>ペットのリストより新しい可能性のあるペットを参照するものがあります。確認するにはペットを更新してください。</translation>
</message>
<message>
<source>Some records name others that are not here: they may be new. Refresh to be sure: {lists}.</source>
<translation>ここにないレコードを参照しているレコードがあります。新しいものかもしれません。確認するには更新してください：{lists}。</translation>
</message>
<message>
<source>Some values in {file} cannot be used: {what}.</source>
<translation>{file}に利用できない値があります：{what}。</translation>
</message>
<message>
<source>Somebody else changed it between {since} and {time}.</source>
<translation>{since}から{time}の間に、他の人が変更しました。</translation>
</message>
<message>
<source>Somebody else edits too</source>
<translation>他の人も編集</translation>
</message>
<message>
<source>Something answers at {url}, but it has no OpenAPI document there and none of the standard operations.</source>
<translation>{url}で応答がありますが、OpenAPIドキュメントも標準の操作もありません。</translation>
</message>
<message>
<source>Something answers at {url}, but nothing shows that it is the service.</source>
<translation>{url}で応答がありますが、目的のサービスかどうかを示すものがありません。</translation>
</message>
<message>
<source>Something answers, but not with a list of a pet shop.</source>
<translation>応答はありますが、ペットショップの一覧ではありません。</translation>
</message>
<message>
<source>Something is missing after {text}.</source>
<translation>{text}の後に何か足りません。</translation>
</message>
<message>
<source>Sort &amp;ascending</source>
<translation>昇順に並べ替え(&amp;A)</translation>
</message>
<message>
<source>Sort &amp;descending</source>
<translation>降順に並べ替え(&amp;D)</translation>
</message>
<message>
<source>Sound of a scan</source>
<translation>スキャン音</translation>
</message>
<message>
<source>Squares of {width} mm: hard to scan. Choose larger labels.</source>
<translation>四角の幅 {width} mm：読み取りにくい大きさです。大きいラベルを選んでください。</translation>
</message>
<message>
<source>Squares of {width} mm: safe for hand scanners</source>
<translation>四角の幅 {width} mm：ハンドスキャナーで確実に読み取れます</translation>
</message>
<message>
<source>Stands beside each of these changes in the history.</source>
<translation>履歴で、これらの変更のそれぞれに表示されます。</translation>
</message>
<message>
<source>Start at label</source>
<translation>開始するラベル</translation>
</message>
<message>
<source>Start it again, or log in again, then enter the key.</source>
<translation>キーリングを起動し直すか、ログインし直して、キーを入力してください。</translation>
</message>
<message>
<source>Start over</source>
<translation>最初から入力</translation>
</message>
<message>
<source>State</source>
<translation>状態</translation>
</message>
<message>
<source>Status</source>
<translation>ステータス</translation>
</message>
<message>
<source>Stock</source>
<translation>在庫</translation>
</message>
<message>
<source>Stock at or below the minimum is marked low. Both are kept on this computer only.</source>
<translation>最低在庫以下になると在庫不足の印が付きます。どちらの値もこのコンピューターだけに保存されます。</translation>
</message>
<message>
<source>Stock below zero</source>
<translation>マイナス在庫</translation>
</message>
<message>
<source>Stock changed</source>
<translation>在庫の変更</translation>
</message>
<message>
<source>Stock changed today</source>
<translation>今日変更された在庫</translation>
</message>
<message>
<source>Stock entries</source>
<translation>在庫データ</translation>
</message>
<message>
<source>Stock is changed by the key that each of its entries has of its own: {name}.</source>
<translation>在庫は、各項目が持つ固有のキーで変更します：{name}。</translation>
</message>
<message>
<source>Stock over time</source>
<translation>在庫の推移</translation>
</message>
<message>
<source>Stock that needs attention</source>
<translation>要対応の在庫</translation>
</message>
<message>
<source>Stock without a pet</source>
<translation>ペットのない在庫</translation>
</message>
<message>
<source>Stocktake</source>
<translation>棚卸</translation>
</message>
<message>
<source>Stocktake begun</source>
<translation>棚卸中</translation>
</message>
<message>
<source>Stocktake {time}</source>
<translation>棚卸 {time}</translation>
</message>
<message>
<source>Stocktake: {what}</source>
<translation>棚卸：{what}</translation>
</message>
<message>
<source>Stop</source>
<translation>中止</translation>
</message>
<message>
<source>Stop reading</source>
<translation>読み取りを中止</translation>
</message>
<message>
<source>Stopped.</source>
<translation>中止しました。</translation>
</message>
<message>
<source>Stopped. Nothing was saved.</source>
<translation>中止しました。何も保存していません。</translation>
</message>
<message>
<source>Stopped: {what}. {sent} of {n} were sent, and stay</source>
<translation>中止：{what}。{n}件中{sent}件は送信済みで、そのまま残ります</translation>
</message>
<message>
<source>Such a change shows here with both values.</source>
<translation>該当する変更があると、両方の値とともにここに表示されます。</translation>
</message>
<message>
<source>Supplier note</source>
<translation>仕入先メモ</translation>
</message>
<message>
<source>Sw&amp;itch to another shop…</source>
<translation>別のショップに切り替え(&amp;I)…</translation>
</message>
<message>
<source>Swap them</source>
<translation>入れ替える</translation>
</message>
<message>
<source>T&amp;hen by this, ascending</source>
<translation>次にこの列で昇順(&amp;H)</translation>
</message>
<message>
<source>Tab</source>
<translation>タブ</translation>
</message>
<message>
<source>Tables (*.csv *.tsv *.txt *.tab *.xlsx *.xlsm)</source>
<translation>表 (*.csv *.tsv *.txt *.tab *.xlsx *.xlsm)</translation>
</message>
<message>
<source>Tabs</source>
<translation>タブ</translation>
</message>
<message>
<source>Take out</source>
<translation>取り除く</translation>
</message>
<message>
<source>Take theirs</source>
<translation>相手の値を採用</translation>
</message>
<message>
<source>Teal</source>
<translation>青緑</translation>
</message>
<message>
<source>Tell me when there is a newer version</source>
<translation>新しいバージョンがあれば知らせる</translation>
</message>
<message>
<source>Tell the service’s provider. The program still obeys every wait.</source>
<translation>サービスの提供元に連絡してください。待機の指示にはプログラムが従います。</translation>
</message>
<message>
<source>Test after a pause</source>
<translation>一時停止後のテスト</translation>
</message>
<message>
<source>Test and connect</source>
<translation>テストして接続</translation>
</message>
<message>
<source>Text for any spreadsheet (.csv)</source>
<translation>表計算ソフト用テキスト (.csv)</translation>
</message>
<message>
<source>That has not happened yet</source>
<translation>まだ先の日時です</translation>
</message>
<message>
<source>That was a demo shop. Open it to try it yourself, or connect your own shop.</source>
<translation>これはデモショップでした。開いて試すか、ご自分のショップを接続してください。</translation>
</message>
<message>
<source>The OpenAPI document cannot be read: {path}.</source>
<translation>OpenAPIドキュメントを読み込めません：{path}。</translation>
</message>
<message>
<source>The OpenAPI document describes another service: {titled}. Nothing in it is what a pet shop needs.</source>
<translation>OpenAPIドキュメントは別のサービスのものです：{titled}。ペットショップに必要なものが含まれていません。</translation>
</message>
<message>
<source>The OpenAPI document has more than {most} operations, and the first ones are not what a pet shop needs.</source>
<translation>OpenAPIドキュメントの操作が{most}個を超えており、最初のほうにペットショップに必要なものがありません。</translation>
</message>
<message>
<source>The OpenAPI document has moved to another address: {target}.</source>
<translation>OpenAPIドキュメントは別のアドレスに移動しました：{target}。</translation>
</message>
<message>
<source>The OpenAPI document is larger than {megabytes} MB, so it was not read: {path}.</source>
<translation>OpenAPIドキュメントが{megabytes} MBを超えているため、読み込みませんでした：{path}。</translation>
</message>
<message>
<source>The OpenAPI document is much larger than its file once expanded ({why}), so it was not read to the end.</source>
<translation>OpenAPIドキュメントは、展開するとファイルよりはるかに大きくなるため（{why}）、最後まで読み込みませんでした。</translation>
</message>
<message>
<source>The OpenAPI document is neither JSON nor YAML ({why}).</source>
<translation>OpenAPIドキュメントがJSONでもYAMLでもありません（{why}）。</translation>
</message>
<message>
<source>The OpenAPI document is not at {path}. That address redirects to {target}; the program does not follow.</source>
<translation>OpenAPIドキュメントは{path}にありません。このアドレスは{target}にリダイレクトしますが、プログラムは従いません。</translation>
</message>
<message>
<source>The OpenAPI document is of version {version}; the program reads OpenAPI 3.0 and 3.1, and Swagger 2.0.</source>
<translation>OpenAPIドキュメントのバージョンは{version}です。プログラムで読み込めるのはOpenAPI 3.0と3.1、Swagger 2.0です。</translation>
</message>
<message>
<source>The OpenAPI document that was chosen: {named}.</source>
<translation>選択されたOpenAPIドキュメント：{named}。</translation>
</message>
<message>
<source>The address holds a password; enter it as the key instead.</source>
<translation>アドレスにパスワードが含まれています。代わりにキーとして入力してください。</translation>
</message>
<message>
<source>The address holds a user name or a password; nothing was sent.</source>
<translation>アドレスにユーザー名またはパスワードが含まれています。何も送信していません。</translation>
</message>
<message>
<source>The address must begin with https:// (http:// only for this computer).</source>
<translation>アドレスはhttps://で始まる必要があります（http://はこのコンピューターのみ）。</translation>
</message>
<message>
<source>The answer is not JSON, but {content_type}.</source>
<translation>応答がJSONではなく{content_type}です。</translation>
</message>
<message>
<source>The beginning of a word is enough.</source>
<translation>語の先頭だけでもかまいません。</translation>
</message>
<message>
<source>The categories</source>
<translation>カテゴリ</translation>
</message>
<message>
<source>The categories are not all on this computer, and all are needed to tell.</source>
<translation>判定にはすべてのカテゴリが必要ですが、このコンピューターにまだ揃っていません。</translation>
</message>
<message>
<source>The category’s id and name are both changed, and do not match.</source>
<translation>カテゴリのIDと名前が両方変更されていて、一致しません。</translation>
</message>
<message>
<source>The certificate is trusted, by this computer or by {file}.</source>
<translation>証明書は、このコンピューターまたは{file}によって信頼されています。</translation>
</message>
<message>
<source>The certificate of {host} expired: {until}.</source>
<translation>{host}の証明書は有効期限が切れています：{until}。</translation>
</message>
<message>
<source>The certificate of {host} is not valid yet; it begins: {since}.</source>
<translation>{host}の証明書はまだ有効ではありません。開始：{since}。</translation>
</message>
<message>
<source>The certificate of {host} is self-signed, so this computer does not trust it.</source>
<translation>{host}の証明書は自己署名のため、このコンピューターは信頼していません。</translation>
</message>
<message>
<source>The certificate of {host} is signed by {issuer}, which this computer does not trust.</source>
<translation>{host}の証明書は{issuer}が署名していますが、このコンピューターはそれを信頼していません。</translation>
</message>
<message>
<source>The certificate of {host} was revoked by its authority.</source>
<translation>{host}の証明書は認証局によって失効しています。</translation>
</message>
<message>
<source>The certificate that {host} shows is not for this name, but for {names}.</source>
<translation>{host}が提示した証明書は、この名前用ではなく{names}用です。</translation>
</message>
<message>
<source>The changes cannot be read</source>
<translation>変更を読み取れません</translation>
</message>
<message>
<source>The changes of the rehearsal wait under Shop &gt; Rehearse.</source>
<translation>リハーサルの変更は「ショップ &gt; リハーサル」に残っています。</translation>
</message>
<message>
<source>The characters of this file can be read in several ways. Choose its encoding.</source>
<translation>このファイルの文字は複数の読み方ができます。エンコードを選んでください。</translation>
</message>
<message>
<source>The check was stopped.</source>
<translation>チェックを中止しました。</translation>
</message>
<message>
<source>The connection and its data are still here.</source>
<translation>接続とそのデータは残っています。</translation>
</message>
<message>
<source>The connection broke while it was sent. It may have arrived. The program checks, and sends nothing twice.</source>
<translation>送信中に接続が切れました。届いている可能性があります。プログラムが確認し、二重には送信しません。</translation>
</message>
<message>
<source>The connection follows a profile, and nothing is guessed: {named}.</source>
<translation>接続はプロファイルに従い、推測はしません：{named}。</translation>
</message>
<message>
<source>The connection follows the profile {named}, from which the service’s own document differs: {differences}.</source>
<translation>接続はプロファイル{named}に従いますが、サービスのドキュメントと異なります：{differences}。</translation>
</message>
<message>
<source>The connection to {host} broke before the answer came.</source>
<translation>応答が届く前に{host}への接続が切れました。</translation>
</message>
<message>
<source>The connection’s CA file cannot be read: {path}.</source>
<translation>接続のCAファイルを読み込めません：{path}。</translation>
</message>
<message>
<source>The connection’s CA file holds no certificate: {path}.</source>
<translation>接続のCAファイルに証明書が含まれていません：{path}。</translation>
</message>
<message>
<source>The connection’s CA file is gone: {path}.</source>
<translation>接続のCAファイルがなくなっています：{path}。</translation>
</message>
<message>
<source>The connection’s CA file is too large: {path}.</source>
<translation>接続のCAファイルが大きすぎます：{path}。</translation>
</message>
<message>
<source>The corrections will be lost.</source>
<translation>修正内容は失われます。</translation>
</message>
<message>
<source>The data and the keys of your shops are still here.</source>
<translation>ショップのデータとキーは残っています。</translation>
</message>
<message>
<source>The data check no longer finds it: left out</source>
<translation>データチェックに該当しなくなりました：除外</translation>
</message>
<message>
<source>The dates can be read in two ways: 03/04 is 3 April or 4 March. Choose how they are written.</source>
<translation>日付が2通りに読めます：03/04は3月4日とも4月3日とも読めます。書き方を選んでください。</translation>
</message>
<message>
<source>The demo shop did not start.</source>
<translation>デモショップを起動できませんでした。</translation>
</message>
<message>
<source>The disk is full.</source>
<translation>ディスクがいっぱいです。</translation>
</message>
<message>
<source>The document calls it {note}.</source>
<translation>ドキュメントでの呼び名は{note}です。</translation>
</message>
<message>
<source>The document is the one that the service publishes: {name}.</source>
<translation>ドキュメントは、サービスが公開しているものです：{name}。</translation>
</message>
<message>
<source>The document is the one that was chosen for this connection: {name}.</source>
<translation>ドキュメントは、この接続で選択されたものです：{name}。</translation>
</message>
<message>
<source>The field is a guess by its name. Choose its name first, so that {shop} gets what you mean (File &gt; Operations &gt; Fields).</source>
<translation>この項目は名前からの推測です。{shop}に意図どおりに伝わるよう、先に項目の名前を選んでください（ファイル &gt; サービスの操作 &gt; 項目）。</translation>
</message>
<message>
<source>The file does not have this encoding. Choose another one.</source>
<translation>ファイルの文字コードが違います。別のものを選んでください。</translation>
</message>
<message>
<source>The file has more than {n} cells. Leave out columns that are not needed, or split it, and import the parts.</source>
<translation>ファイルのセルが{n}個を超えています。不要な列を除くか、ファイルを分割してインポートしてください。</translation>
</message>
<message>
<source>The file has more than {n} columns. Leave out those that are not needed.</source>
<translation>ファイルの列が{n}列を超えています。不要な列を除いてください。</translation>
</message>
<message>
<source>The file has more than {n} rows. Split it, and import the parts.</source>
<translation>ファイルの行が{n}行を超えています。ファイルを分割してインポートしてください。</translation>
</message>
<message>
<source>The file of pauses and request counts is gone: {file}.</source>
<translation>一時停止とリクエスト数のファイルがなくなっています：{file}。</translation>
</message>
<message>
<source>The file of pauses and request counts was damaged. It is kept as {file}.</source>
<translation>一時停止とリクエスト数のファイルが破損していたため、{file}として保管しました。</translation>
</message>
<message>
<source>The file of settings and connections was damaged. It is kept as {file}.</source>
<translation>設定と接続のファイルが破損していたため、{file}として保管しました。</translation>
</message>
<message>
<source>The file of your bar codes was damaged. It is kept as {file}.</source>
<translation>バーコードのファイルが破損していたため、{file}として保管しました。</translation>
</message>
<message>
<source>The file of your changes is gone: {file}.</source>
<translation>変更のファイルがなくなっています：{file}。</translation>
</message>
<message>
<source>The file of your changes was damaged. It is kept as {file}.</source>
<translation>変更のファイルが破損していたため、{file}として保管しました。</translation>
</message>
<message>
<source>The file of your earlier changes was damaged. It is kept as {file}.</source>
<translation>以前の変更のファイルが破損していたため、{file}として保管しました。</translation>
</message>
<message>
<source>The file of your minimum stock was damaged. It is kept as {file}.</source>
<translation>最低在庫のファイルが破損していたため、{file}として保管しました。</translation>
</message>
<message numerus="yes">
<source>The file says that {n} of its rows are missing. Records that are not in it stay as they are.</source>
<translation>
<numerusform>ファイルによると、{n}行が欠けています。ファイルにないレコードは変わりません。</numerusform>
</translation>
</message>
<message>
<source>The first moment is after the second one</source>
<translation>開始時点が終了時点より後です</translation>
</message>
<message>
<source>The first one: {reason}</source>
<translation>最初のレコード：{reason}</translation>
</message>
<message>
<source>The first {n} of {all}.</source>
<translation>{all}件中、最初の{n}件。</translation>
</message>
<message>
<source>The history begins on {time}: nothing is known of these days.</source>
<translation>履歴は{time}に始まるため、この期間のことは不明です。</translation>
</message>
<message>
<source>The history begins with the first complete reading of the shop. Come back after it.</source>
<translation>履歴は、ショップ全体を最初に読み取った時点から始まります。その後でもう一度開いてください。</translation>
</message>
<message>
<source>The history begins with the first reading.</source>
<translation>履歴は最初の読み取りから始まります。</translation>
</message>
<message>
<source>The history cannot be read</source>
<translation>履歴を読み取れません</translation>
</message>
<message>
<source>The history cannot be read: the report is made without it. {why}</source>
<translation>履歴を読み取れないため、履歴なしでレポートを作成します。{why}</translation>
</message>
<message>
<source>The history does not go back so far</source>
<translation>履歴はそこまでさかのぼれません</translation>
</message>
<message>
<source>The history of this shop cannot be recorded: {file} cannot be used.</source>
<translation>このショップの履歴を記録できません：{file}を使えません。</translation>
</message>
<message>
<source>The history of this shop is gone: {file}.</source>
<translation>このショップの履歴がなくなっています：{file}。</translation>
</message>
<message>
<source>The history of this shop was damaged. It is kept as {file}.</source>
<translation>このショップの履歴が破損していたため、{file}として保管しました。</translation>
</message>
<message>
<source>The key contains characters that cannot be sent. Nothing was sent.</source>
<translation>キーに送信できない文字が含まれています。何も送信していません。</translation>
</message>
<message>
<source>The key is banned: unsent changes go out when the program is open after {time}.</source>
<translation>キーが利用停止中です。未送信の変更は、{time}以降にプログラムを開いているときに送信します。</translation>
</message>
<message>
<source>The key is longer than 16,384 characters, which no service takes. Nothing was sent.</source>
<translation>キーが16,384文字を超えています。この長さを受け付けるサービスはありません。何も送信していません。</translation>
</message>
<message>
<source>The key is taken at {url}; at the address that you gave nothing asks for it.</source>
<translation>キーは{url}で受け付けられます。入力されたアドレスでは、キーを求められません。</translation>
</message>
<message>
<source>The key may not read these lists: {lists}.</source>
<translation>キーにこれらの一覧の読み取り権限がありません：{lists}。</translation>
</message>
<message>
<source>The key may not read this list: {lists}.</source>
<translation>キーにこの一覧の読み取り権限がありません：{lists}。</translation>
</message>
<message>
<source>The keyring did not answer within five seconds, so there is no key; only the document was asked for.</source>
<translation>キーリングが5秒以内に応答しなかったため、キーがありません。問い合わせたのはドキュメントだけです。</translation>
</message>
<message>
<source>The keyring did not answer within five seconds.</source>
<translation>キーリングが5秒以内に応答しませんでした。</translation>
</message>
<message>
<source>The keyring is locked, so there is no key; only the document was asked for.</source>
<translation>キーリングがロックされているため、キーがありません。問い合わせたのはドキュメントだけです。</translation>
</message>
<message>
<source>The keyring is locked.</source>
<translation>キーリングがロックされています。</translation>
</message>
<message>
<source>The keyring stopped while it was asked.</source>
<translation>キーリングが処理の途中で停止しました。</translation>
</message>
<message>
<source>The keyring took the key, but did not give it back.</source>
<translation>キーリングはキーを受け取りましたが、読み出せませんでした。</translation>
</message>
<message>
<source>The keys are sent in these headers or parameters: {names}.</source>
<translation>キーは次のヘッダーまたはパラメーターで送信します：{names}。</translation>
</message>
<message>
<source>The labels need {limit} mm; the sheet is lower.</source>
<translation>ラベルには高さ {limit} mmが必要ですが、シートの高さが足りません。</translation>
</message>
<message>
<source>The labels need {limit} mm; the sheet is narrower.</source>
<translation>ラベルには幅 {limit} mmが必要ですが、シートの幅が足りません。</translation>
</message>
<message>
<source>The last act cannot be undone</source>
<translation>直前の操作は元に戻せません</translation>
</message>
<message>
<source>The last requests of the minute are kept for what you ask for, and to read lists.</source>
<translation>この1分間の残りのリクエストは、あなたの操作と一覧の読み込みのために残してあります。</translation>
</message>
<message>
<source>The last step of the count is undone</source>
<translation>棚卸の直前の操作を元に戻しました</translation>
</message>
<message>
<source>The licence’s text is at {address}, the source of both at {source}.</source>
<translation>ライセンスの本文は {address} に、両方のソースは {source} にあります。</translation>
</message>
<message>
<source>The list has no record with the id {id}</source>
<translation>IDが{id}のレコードは一覧にありません</translation>
</message>
<message>
<source>The list loads when the network is back. Your edits are kept.</source>
<translation>ネットワークが復旧すると一覧を読み込みます。編集内容は残ります。</translation>
</message>
<message>
<source>The list of earlier requests was damaged. It is kept as {file}.</source>
<translation>以前のリクエストの一覧が破損していたため、{file}として保管しました。</translation>
</message>
<message>
<source>The lists show what the service has. From now on, each change of this kind is looked at.</source>
<translation>一覧にはサービスの内容が表示されています。今後、この種類の変更は毎回確認されます。</translation>
</message>
<message>
<source>The longest name</source>
<translation>最も長い名前</translation>
</message>
<message>
<source>The longest name, twice as large</source>
<translation>最も長い名前（2倍表示）</translation>
</message>
<message>
<source>The name in this program.</source>
<translation>このプログラムでの名前。</translation>
</message>
<message>
<source>The network may be slow, or a firewall in between.</source>
<translation>ネットワークが遅いか、途中にファイアウォールがある可能性があります。</translation>
</message>
<message>
<source>The new key is used at once for all unsent changes.</source>
<translation>新しいキーは、未送信のすべての変更にすぐに使われます。</translation>
</message>
<message>
<source>The next one is free at {time}.</source>
<translation>次の1件は{time}に使えるようになります。</translation>
</message>
<message>
<source>The numbers can be read in two ways: 1.200 is twelve hundred, or 1 and a fraction. Choose how they are written.</source>
<translation>数値が2通りに読めます：1.200は千二百とも1と小数とも読めます。書き方を選んでください。</translation>
</message>
<message>
<source>The order for {pet}</source>
<translation>{pet}のご注文</translation>
</message>
<message>
<source>The order for {quantity} {pet}</source>
<translation>{pet} {quantity}点のご注文</translation>
</message>
<message>
<source>The orders</source>
<translation>注文</translation>
</message>
<message>
<source>The orders are not all on this computer, and all are needed to tell.</source>
<translation>判定にはすべての注文が必要ですが、このコンピューターにまだ揃っていません。</translation>
</message>
<message>
<source>The other tabs work. If the list has another name, choose it in File &gt; Operations.</source>
<translation>他のタブは使えます。一覧が別の名前の場合は、「ファイル &gt; サービスの操作」で選んでください。</translation>
</message>
<message>
<source>The outbox is empty</source>
<translation>送信トレイは空です</translation>
</message>
<message>
<source>The part of the program that talks to the service has ended.</source>
<translation>サービスと通信する部分が終了しました。</translation>
</message>
<message>
<source>The pause could not be saved, the disk may be full: keep the window open until it ends.</source>
<translation>一時停止を保存できませんでした。ディスクがいっぱいの可能性があります。終わるまでウィンドウを閉じないでください。</translation>
</message>
<message>
<source>The pet becomes {status}.</source>
<translation>ペットは{status}になります。</translation>
</message>
<message>
<source>The pets</source>
<translation>ペット</translation>
</message>
<message>
<source>The pets are not all on this computer, and all are needed to tell.</source>
<translation>判定にはすべてのペットが必要ですが、このコンピューターにまだ揃っていません。</translation>
</message>
<message>
<source>The pets are still being read. Scan {code} again in a moment.</source>
<translation>ペットを読み取り中です。少し待ってから{code}をもう一度スキャンしてください。</translation>
</message>
<message>
<source>The profile cannot be followed: {where}: {why}.</source>
<translation>このプロファイルには従えません：{where}：{why}。</translation>
</message>
<message>
<source>The profile is followed. Ask the service’s provider which is right, and correct the profile if it is not.</source>
<translation>プロファイルに従います。どちらが正しいかサービスの提供元に問い合わせ、プロファイルが誤りなら直してください。</translation>
</message>
<message>
<source>The profile is in {file}.</source>
<translation>プロファイルは{file}にあります。</translation>
</message>
<message>
<source>The profile says so.</source>
<translation>プロファイルにそう書かれています。</translation>
</message>
<message>
<source>The program could not start.</source>
<translation>プログラムを起動できませんでした。</translation>
</message>
<message>
<source>The program does not follow: neither the request nor the key was sent there.</source>
<translation>プログラムは従いません。リクエストもキーもそこへは送信していません。</translation>
</message>
<message>
<source>The program does not follow: nothing was sent there.</source>
<translation>プログラムは従いません。そこへは何も送信していません。</translation>
</message>
<message>
<source>The program needs an id in each record, and the field names of the specification. Ask the service’s provider for such an address, or choose another list in File &gt; Operations.</source>
<translation>プログラムには、各レコードのIDと仕様どおりの項目名が必要です。そのようなアドレスをサービスの提供元に問い合わせるか、「ファイル &gt; サービスの操作」で別の一覧を選んでください。</translation>
</message>
<message>
<source>The program obeys every “wait”.</source>
<translation>待機の指示にはプログラムが必ず従います。</translation>
</message>
<message>
<source>The program reads {endpoint}, because of the fields of its answer. Its path does not name what it is, so nothing is changed there unless you choose it.</source>
<translation>応答の項目に基づいて{endpoint}を読み取ります。パスから内容がわからないため、選択しない限り、そこでは何も変更しません。</translation>
</message>
<message>
<source>The program sends one at a time and obeys every “wait”.</source>
<translation>プログラムは1件ずつ送信し、待機の指示に必ず従います。</translation>
</message>
<message>
<source>The program that answers at {host} is not a web service.</source>
<translation>{host}で応答しているプログラムはWebサービスではありません。</translation>
</message>
<message>
<source>The program tries again by itself.</source>
<translation>プログラムが自動的に再試行します。</translation>
</message>
<message>
<source>The program uses {endpoint}, because you chose it.</source>
<translation>選択に従って{endpoint}を使います。</translation>
</message>
<message>
<source>The program uses {endpoint}: its path, and what it takes and answers, fit.</source>
<translation>{endpoint}を使います。パスも、受け取る内容と応答も合っています。</translation>
</message>
<message>
<source>The proxy that is set on this computer cannot be reached: {proxy}.</source>
<translation>このコンピューターに設定されたプロキシに接続できません：{proxy}。</translation>
</message>
<message>
<source>The proxy that is set on this computer cannot be used by the program: {proxy}.</source>
<translation>このコンピューターに設定されたプロキシは、プログラムで使えません：{proxy}。</translation>
</message>
<message>
<source>The proxy {proxy} blocks {host}.</source>
<translation>プロキシ（{proxy}）が{host}への接続をブロックしています。</translation>
</message>
<message>
<source>The proxy {proxy} cannot reach {host}.</source>
<translation>プロキシ（{proxy}）から{host}に接続できません。</translation>
</message>
<message>
<source>The proxy {proxy} did not let the request through to {host}.</source>
<translation>プロキシ（{proxy}）が{host}へのリクエストを通しませんでした。</translation>
</message>
<message>
<source>The proxy {proxy} is not trusted: no secure connection to it is possible.</source>
<translation>プロキシ（{proxy}）を信頼できないため、安全に接続できません。</translation>
</message>
<message>
<source>The proxy {proxy} needs a user name and password, or rejects those that are set.</source>
<translation>プロキシ（{proxy}）にユーザー名とパスワードが必要か、設定されたものが受け付けられません。</translation>
</message>
<message>
<source>The record is there, once. No other one is made before you send one again.</source>
<translation>レコードは1件だけ作成されています。どれかを再送信するまで、他のレコードは作成しません。</translation>
</message>
<message>
<source>The record was changed elsewhere in the meantime: {said}.</source>
<translation>この間にレコードが外部で変更されました：{said}。</translation>
</message>
<message>
<source>The rehearsal opens in a window of its own.</source>
<translation>リハーサルを専用のウィンドウで開きます。</translation>
</message>
<message>
<source>The rehearsal’s shop has stopped</source>
<translation>リハーサル用のショップが停止しました</translation>
</message>
<message>
<source>The requests that the key allows are used up until {until}. Nothing is sent before.</source>
<translation>このキーで使えるリクエストは{until}まで使い切っています。それまで何も送信しません。</translation>
</message>
<message>
<source>The rest of today’s requests is kept for you.</source>
<translation>今日の残りのリクエストは、あなたのために残してあります。</translation>
</message>
<message>
<source>The rest of today’s requests is kept for you: changes go out when the program is open after {time}.</source>
<translation>今日の残りのリクエストは、あなたのために残してあります。変更は、{time}以降にプログラムを開いているときに送信されます。</translation>
</message>
<message>
<source>The rest works.</source>
<translation>その他は使えます。</translation>
</message>
<message>
<source>The rows have a new order: of {n} selected rows, only the current cell is still selected.</source>
<translation>行の順序が変わりました。選択していた{n}行のうち、現在のセルだけが選択されています。</translation>
</message>
<message>
<source>The same</source>
<translation>変更なし</translation>
</message>
<message>
<source>The same number of each</source>
<translation>すべて同じ枚数</translation>
</message>
<message>
<source>The same record as in row {row}.</source>
<translation>{row}行目と同じレコードです。</translation>
</message>
<message>
<source>The second moment can be the present one at most.</source>
<translation>終了時点は現在までにしてください。</translation>
</message>
<message>
<source>The service accepted it, to be done later. When the record was last looked at, it was not done yet.</source>
<translation>サービスは後で実行するものとして受け付けました。最後にレコードを確認した時点では、まだ実行されていませんでした。</translation>
</message>
<message>
<source>The service allows no more in a minute.</source>
<translation>サービスは1分間にこれ以上受け付けません。</translation>
</message>
<message numerus="yes">
<source>The service allows {n} in a minute.</source>
<translation>
<numerusform>サービスの上限は1分に{n}件です。</numerusform>
</translation>
</message>
<message>
<source>The service also demands {names}; it gets {values}.</source>
<translation>サービスでは{names}も必須のため、{values}を送ります。</translation>
</message>
<message>
<source>The service answered with record {id}, which existed before. Check that record: it may be overwritten.</source>
<translation>サービスは、以前からあるレコード {id} を返しました。上書きされた可能性があるため、そのレコードを確認してください。</translation>
</message>
<message>
<source>The service answered {said}.</source>
<translation>サービスの応答：{said}。</translation>
</message>
<message>
<source>The service answers without a key.</source>
<translation>サービスはキーなしで応答します。</translation>
</message>
<message>
<source>The service asked to wait until {until}, which is unusually long: {message}. Nothing is sent before.</source>
<translation>サービスから{until}まで待つよう求められていますが、異例の長さです：{message}。それまで何も送信しません。</translation>
</message>
<message>
<source>The service asked to wait until {until}: {message}. Nothing is sent before.</source>
<translation>サービスから{until}まで待つよう求められています：{message}。それまで何も送信しません。</translation>
</message>
<message>
<source>The service asks to wait: {said}.</source>
<translation>サービスから待つよう求められています：{said}。</translation>
</message>
<message>
<source>The service calls it beta: it may change.</source>
<translation>サービスではベータ版とされています。変更されることがあります。</translation>
</message>
<message>
<source>The service calls it experimental: it may change or go.</source>
<translation>サービスでは試験版とされています。変更または廃止されることがあります。</translation>
</message>
<message>
<source>The service calls this beta: it may change.</source>
<translation>サービスではベータ版とされています。変更されることがあります。</translation>
</message>
<message>
<source>The service calls this experimental: it may change or go.</source>
<translation>サービスでは試験版とされています。変更または廃止されることがあります。</translation>
</message>
<message>
<source>The service cannot be reached</source>
<translation>サービスに接続できません</translation>
</message>
<message>
<source>The service cannot be reached since {time}.</source>
<translation>{time}からサービスに接続できません。</translation>
</message>
<message>
<source>The service cannot do this now: {said}.</source>
<translation>サービスは今これを実行できません：{said}。</translation>
</message>
<message>
<source>The service could not be asked about the new key. It is kept, and tried when the service answers.</source>
<translation>新しいキーについてサービスに確認できませんでした。キーは保存してあり、サービスが応答すれば試します。</translation>
</message>
<message>
<source>The service counts more than it shows.</source>
<translation>サービスは、表示するよりも多くの件数を数えています。</translation>
</message>
<message>
<source>The service did not find this: the record is gone, or the way to it ({request}), which was to be removed on {day}.</source>
<translation>サービスで見つかりませんでした。レコードがなくなったか、{day}に廃止予定だった{request}が廃止されました。</translation>
</message>
<message>
<source>The service does not accept the key</source>
<translation>サービスがキーを受け付けません</translation>
</message>
<message>
<source>The service does not accept the key {key}, which it wants for some operations: {message}.</source>
<translation>一部の操作に必要なキー{key}を、サービスが受け付けません：{message}。</translation>
</message>
<message>
<source>The service does not accept the key {key}: {message}.</source>
<translation>サービスがキー{key}を受け付けません：{message}。</translation>
</message>
<message>
<source>The service does not accept the key {key}: {said}.</source>
<translation>サービスがキー{key}を受け付けません：{said}。</translation>
</message>
<message>
<source>The service does not accept the key: unsent changes go out once a key works.</source>
<translation>サービスがキーを受け付けません。未送信の変更は、使えるキーがあれば送信します。</translation>
</message>
<message>
<source>The service does not accept the key: {message}.</source>
<translation>サービスがキーを受け付けません：{message}。</translation>
</message>
<message>
<source>The service does not accept the key: {said}.</source>
<translation>サービスがキーを受け付けません：{said}。</translation>
</message>
<message>
<source>The service does not have these lists: {lists}.</source>
<translation>サービスにこれらの一覧がありません：{lists}。</translation>
</message>
<message>
<source>The service does not have this list: {lists}.</source>
<translation>サービスにこの一覧がありません：{lists}。</translation>
</message>
<message>
<source>The service does not let this key read anything: {message}.</source>
<translation>このキーではサービスから何も読み取れません：{message}。</translation>
</message>
<message>
<source>The service does not report it: ≈ is this computer’s own count, without other computers.</source>
<translation>サービスからの通知がないため、≈は他のコンピューターを除き、このコンピューターで数えた値です。</translation>
</message>
<message>
<source>The service does not report the day: this is this computer’s own count.</source>
<translation>サービスから1日分の通知がないため、このコンピューターで数えた値です。</translation>
</message>
<message>
<source>The service does not say how many requests are left.</source>
<translation>サービスは残りリクエストを通知していません。</translation>
</message>
<message>
<source>The service does not say how many requests it allows a day.</source>
<translation>サービスは1日あたりの上限を通知していません。</translation>
</message>
<message>
<source>The service does not say how many requests it allows a minute.</source>
<translation>サービスは1分あたりの上限を通知していません。</translation>
</message>
<message>
<source>The service does not say when there are more.</source>
<translation>いつ回復するか、サービスからの通知がありません。</translation>
</message>
<message>
<source>The service does not say which orders are open, and so not which are overdue.</source>
<translation>サービスはどの注文が未完了かを示さないため、期限超過の注文もわかりません。</translation>
</message>
<message>
<source>The service does not tell its time.</source>
<translation>サービスは時刻を通知していません。</translation>
</message>
<message>
<source>The service failed (status {status}): {message}.</source>
<translation>サービスでエラーが発生しました（ステータス{status}）：{message}。</translation>
</message>
<message>
<source>The service failed: {said}.</source>
<translation>サービスでエラーが発生しました：{said}。</translation>
</message>
<message>
<source>The service has banned this key for a while: {said}.</source>
<translation>サービスがこのキーを一時的に利用停止にしました：{said}。</translation>
</message>
<message>
<source>The service has banned this key until {until}: {message}. Nothing is sent before.</source>
<translation>サービスがこのキーを{until}まで利用停止にしました：{message}。それまで何も送信しません。</translation>
</message>
<message>
<source>The service has no list of categories. The program takes them from the pets at {endpoint}, which costs no request. A category without a pet is not shown.</source>
<translation>サービスにカテゴリの一覧がありません。{endpoint}のペットからカテゴリを読み取ります（リクエスト不要）。ペットのないカテゴリは表示されません。</translation>
</message>
<message>
<source>The service has no such record any more: {said}.</source>
<translation>サービスに、このレコードはもうありません：{said}。</translation>
</message>
<message>
<source>The service has not said how many.</source>
<translation>サービスから件数の通知がありません。</translation>
</message>
<message>
<source>The service has removed it.</source>
<translation>サービスはこれを廃止しました。</translation>
</message>
<message>
<source>The service has removed this ({request}) on {day}.</source>
<translation>サービスはこれ（{request}）を{day}に廃止しました。</translation>
</message>
<message>
<source>The service is not at {given}, but at {url}.</source>
<translation>サービスがあるのは{given}ではなく{url}です。</translation>
</message>
<message>
<source>The service is slow</source>
<translation>サービスが遅い</translation>
</message>
<message numerus="yes">
<source>The service is told to delete the orders, not to mark them as cancelled.</source>
<translation>
<numerusform>サービスには、注文をキャンセル済みにするのではなく、削除するよう指示します。</numerusform>
</translation>
</message>
<message>
<source>The service keeps its records below {scope}, and the address does not say which.</source>
<translation>サービスのレコードは{scope}ごとに分かれていますが、アドレスではどれか指定されていません。</translation>
</message>
<message>
<source>The service may be down: try again later. Or its address has another port.</source>
<translation>サービスが停止している可能性があります。後でもう一度試してください。アドレスのポートが違う可能性もあります。</translation>
</message>
<message numerus="yes">
<source>The service may delete their pets too, with stock and orders, and undo does not bring those back. Pets that stay name a deleted category:</source>
<translation>
<numerusform>サービスによってはペットが在庫や注文とともに削除され、元に戻しても復元されません。残ったペットは削除されたカテゴリを参照したままになります：</numerusform>
</translation>
</message>
<message numerus="yes">
<source>The service may delete their stock and orders too, and undo does not bring those back:</source>
<translation>
<numerusform>サービスによっては在庫と注文も一緒に削除され、元に戻しても復元されません：</numerusform>
</translation>
</message>
<message>
<source>The service needs a key</source>
<translation>サービスにはキーが必要です</translation>
</message>
<message>
<source>The service needs a key.</source>
<translation>サービスにはキーが必要です。</translation>
</message>
<message>
<source>The service needs a key. Until then you can read and edit the data on this computer.</source>
<translation>サービスにはキーが必要です。それまでは、このコンピューターでデータの閲覧と編集ができます。</translation>
</message>
<message>
<source>The service needs values that its document does not give: {names}.</source>
<translation>サービスには、ドキュメントに記載のない値が必要です：{names}。</translation>
</message>
<message>
<source>The service publishes its OpenAPI document: {named}.</source>
<translation>サービスはOpenAPIドキュメントを公開しています：{named}。</translation>
</message>
<message>
<source>The service publishes no document: the program’s own is used.</source>
<translation>サービスがドキュメントを公開していないため、プログラム内蔵のものを使います。</translation>
</message>
<message>
<source>The service publishes none. It answers at the standard paths, so the nine standard operations are used.</source>
<translation>サービスは公開していません。標準のパスで応答するため、標準の9つの操作を使います。</translation>
</message>
<message>
<source>The service redirects in a circle: from {target} back to the same address.</source>
<translation>サービスのリダイレクトが循環しています：{target}から同じアドレスに戻ります。</translation>
</message>
<message>
<source>The service redirects to another address: {target}.</source>
<translation>サービスは別のアドレスにリダイレクトしています：{target}。</translation>
</message>
<message>
<source>The service redirects to {target}. The program does not follow, so that the key goes nowhere else.</source>
<translation>サービスは{target}にリダイレクトしています。キーが他へ渡らないように、プログラムはリダイレクトに従いません。</translation>
</message>
<message>
<source>The service redirects, but does not say where to.</source>
<translation>サービスはリダイレクトしていますが、移動先を示していません。</translation>
</message>
<message>
<source>The service refused this: {said}.</source>
<translation>サービスが拒否しました：{said}。</translation>
</message>
<message>
<source>The service refuses everything now and then</source>
<translation>サービスがときどきすべてを拒否</translation>
</message>
<message>
<source>The service refuses the request (status {status}): {message}.</source>
<translation>サービスがリクエストを拒否しました（ステータス{status}）：{message}。</translation>
</message>
<message>
<source>The service said no, and the stock is as with your {booked} all the same. Either it was done, or somebody else booked the same.</source>
<translation>サービスは拒否しましたが、在庫は自分の入出庫（{booked}）を反映した数です。それが実行されたか、他の人が同じ入出庫をしたかのどちらかです。</translation>
</message>
<message>
<source>The service says “wait”. The program counts down and goes on by itself; you keep working.</source>
<translation>サービスが「待機」を求めました。プログラムは残り時間を示し、自動で再開します。作業は続けられます。</translation>
</message>
<message>
<source>The service sent an empty answer instead of data.</source>
<translation>サービスがデータではなく空の応答を返しました。</translation>
</message>
<message numerus="yes">
<source>The service sent {n} records that this program cannot read; they are safe there.</source>
<translation>
<numerusform>サービスから届いたレコード{n}件を、このプログラムで読み取れません。レコードはサービスに残っています。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>The service shows at most {n} in one answer. The others are not here.</source>
<translation>
<numerusform>サービスは1回の応答で最大{n}件まで表示します。残りはここにありません。</numerusform>
</translation>
</message>
<message>
<source>The service states its limits in a form that cannot be used: {header}.</source>
<translation>サービスが通知する上限の形式を利用できません：{header}。</translation>
</message>
<message>
<source>The service takes no requests for {left}</source>
<translation>サービスがリクエストを受け付けません：あと{left}</translation>
</message>
<message>
<source>The service takes requests only so quickly, or has just failed.</source>
<translation>サービスがこの速さでしかリクエストを受け付けないか、直前に失敗しました。</translation>
</message>
<message>
<source>The service takes the key.</source>
<translation>サービスはキーを受け付けています。</translation>
</message>
<message>
<source>The service took the request, but did not answer in time.</source>
<translation>サービスはリクエストを受け取りましたが、時間内に応答しませんでした。</translation>
</message>
<message>
<source>The service wants another key too: {key}.</source>
<translation>サービスは別のキーも必要としています：{key}。</translation>
</message>
<message>
<source>The service wants several keys. Put each where it belongs.</source>
<translation>サービスには複数のキーが必要です。それぞれの欄に入力してください。</translation>
</message>
<message>
<source>The service will withdraw it.</source>
<translation>サービスはこれを廃止する予定です。</translation>
</message>
<message>
<source>The service withdraws it after {day}.</source>
<translation>サービスはこれを{day}限りで廃止します。</translation>
</message>
<message>
<source>The service’s OpenAPI document cannot be used.</source>
<translation>サービスのOpenAPIドキュメントを使えません。</translation>
</message>
<message>
<source>The service’s answer did not show that it was done. The program looks, and sends nothing twice.</source>
<translation>サービスの応答からは、実行されたことを確認できませんでした。プログラムが確認し、二重には送信しません。</translation>
</message>
<message>
<source>The service’s clock and this computer’s agree.</source>
<translation>サービスの時計とこのコンピューターの時計は合っています。</translation>
</message>
<message>
<source>The service’s clock is {ahead}</source>
<translation>サービスの時計は{ahead}</translation>
</message>
<message>
<source>The service’s clock is {length} {way} this computer’s.</source>
<translation>サービスの時計は、このコンピューターより{length}{way}。</translation>
</message>
<message>
<source>The service’s document has no operation for this.</source>
<translation>サービスのドキュメントに、この操作がありません。</translation>
</message>
<message>
<source>The service’s own document differs from the profile that this connection follows: {differences}.</source>
<translation>サービスのドキュメントが、この接続の従うプロファイルと異なります：{differences}。</translation>
</message>
<message>
<source>The service’s provider must turn on TLS 1.2 or later.</source>
<translation>サービスの提供元がTLS 1.2以降を有効にする必要があります。</translation>
</message>
<message>
<source>The shop has not been read since {time}.</source>
<translation>{time}以降、ショップを読み取っていません。</translation>
</message>
<message>
<source>The shop reopens with the new settings. Unsent changes are kept.</source>
<translation>新しい設定でショップを開き直します。未送信の変更は残ります。</translation>
</message>
<message>
<source>The status of a stock entry is set by the service.</source>
<translation>在庫データのステータスはサービスが設定します。</translation>
</message>
<message>
<source>The stock</source>
<translation>在庫</translation>
</message>
<message>
<source>The stock at the end of these days is not known.</source>
<translation>この期間の終了時の在庫は不明です。</translation>
</message>
<message>
<source>The stock is not all on this computer, and all of it is needed to tell.</source>
<translation>判定にはすべての在庫が必要ですが、このコンピューターにまだ揃っていません。</translation>
</message>
<message>
<source>The stock of new pets is left out.</source>
<translation>新規ペットの在庫は除外します。</translation>
</message>
<message>
<source>The stock of this pet has not been read.</source>
<translation>このペットの在庫は読み込まれていません。</translation>
</message>
<message>
<source>The stock of {name} is no longer there</source>
<translation>{name}の在庫データはもうありません</translation>
</message>
<message numerus="yes">
<source>The stock of {n} new pets is left out.</source>
<translation>
<numerusform>新規ペット{n}件の在庫を除外します。</numerusform>
</translation>
</message>
<message>
<source>The texts of all licences, what each is for, where the source of Qt is and how it is replaced: {folder}</source>
<translation>すべてのライセンスの本文、それぞれの対象、Qtのソースの場所と置き換え方：{folder}</translation>
</message>
<message>
<source>The view {name} is deleted</source>
<translation>ビュー「{name}」を削除しました</translation>
</message>
<message>
<source>The wait is over: a test request checks whether sending may resume</source>
<translation>待機が終わりました：再開できるかテストリクエストで確認しています</translation>
</message>
<message>
<source>The&amp;n by this, descending</source>
<translation>次にこの列で降順(&amp;N)</translation>
</message>
<message>
<source>Theirs</source>
<translation>相手の値</translation>
</message>
<message>
<source>Theirs may include it already. Keep mine adds it to theirs.</source>
<translation>相手の値にすでに含まれている可能性があります。「自分の値を残す」を選ぶと、相手の値に加算します。</translation>
</message>
<message>
<source>Theme</source>
<translation>テーマ</translation>
</message>
<message>
<source>Then</source>
<translation>以前</translation>
</message>
<message>
<source>Then print labels</source>
<translation>続けてラベルを印刷</translation>
</message>
<message>
<source>Then → Now</source>
<translation>以前 → 現在</translation>
</message>
<message>
<source>There are no categories; the pets get none.</source>
<translation>カテゴリがないため、ペットはカテゴリなしになります。</translation>
</message>
<message>
<source>There are no labels to print.</source>
<translation>印刷するラベルがありません。</translation>
</message>
<message>
<source>There is a document, but {url} has none of the paths that it names.</source>
<translation>ドキュメントはありますが、そこに書かれたパスが{url}に1つもありません。</translation>
</message>
<message>
<source>There is no category #{id}.</source>
<translation>カテゴリ #{id} はありません。</translation>
</message>
<message>
<source>There is no category {id} at the service</source>
<translation>サービスにカテゴリ {id} はありません</translation>
</message>
<message>
<source>There is no category {name}.</source>
<translation>カテゴリ{name}はありません。</translation>
</message>
<message>
<source>There is no column with ids: every row is a new record.</source>
<translation>IDの列がないため、すべての行が新規レコードになります。</translation>
</message>
<message>
<source>There is no computer called {host}.</source>
<translation>{host}という名前のコンピューターはありません。</translation>
</message>
<message>
<source>There is no connection yet. {command} makes one.</source>
<translation>接続がまだありません。{command} で作成できます。</translation>
</message>
<message>
<source>There is no history yet</source>
<translation>履歴はまだありません</translation>
</message>
<message>
<source>There is no history yet: what was before is not known.</source>
<translation>履歴がまだないため、以前のことは不明です。</translation>
</message>
<message>
<source>There is no key for this connection, so nothing else was checked.</source>
<translation>この接続にはキーがないため、他のチェックは行っていません。</translation>
</message>
<message>
<source>There is no key yet, so nothing is sent (File &gt; Change key).</source>
<translation>キーがまだないため、何も送信しません（ファイル &gt; キーを変更）。</translation>
</message>
<message>
<source>There is no order {id} at the service</source>
<translation>サービスに注文 {id} はありません</translation>
</message>
<message>
<source>There is no pet #{id}.</source>
<translation>ペット #{id} はありません。</translation>
</message>
<message>
<source>There is no pet {id} at the service</source>
<translation>サービスにペット {id} はありません</translation>
</message>
<message>
<source>There is no pet {name}.</source>
<translation>ペット{name}はありません。</translation>
</message>
<message>
<source>There is no record #{id}. Leave the id empty for a new one.</source>
<translation>レコード #{id} はありません。新規の場合はIDを空にしてください。</translation>
</message>
<message>
<source>There is no stock entry for this pet.</source>
<translation>このペットの在庫データはありません。</translation>
</message>
<message>
<source>There is no stock of pet {id} at the service</source>
<translation>サービスにペット {id} の在庫はありません</translation>
</message>
<message>
<source>There is no stock.</source>
<translation>在庫がありません。</translation>
</message>
<message>
<source>There is no such category.</source>
<translation>そのカテゴリはありません。</translation>
</message>
<message>
<source>There is no such file: {file}.</source>
<translation>このファイルは存在しません：{file}。</translation>
</message>
<message>
<source>There is no such folder: {file}.</source>
<translation>このフォルダーはありません：{file}。</translation>
</message>
<message>
<source>There is no such pet.</source>
<translation>そのペットはありません。</translation>
</message>
<message>
<source>There is no such status.</source>
<translation>そのステータスはありません。</translation>
</message>
<message>
<source>There is no view in the file</source>
<translation>ファイルにビューがありません</translation>
</message>
<message>
<source>There is no view with the key {key}.</source>
<translation>キー{key}のビューはありません。</translation>
</message>
<message>
<source>There is none yet; this one is added with the pets.</source>
<translation>カテゴリがまだありません。このカテゴリをペットと一緒に追加します。</translation>
</message>
<message>
<source>There is nothing left of it to redo</source>
<translation>やり直せるものが残っていません</translation>
</message>
<message>
<source>There is nothing left of it to undo</source>
<translation>元に戻せるものが残っていません</translation>
</message>
<message>
<source>There is nothing left to correct here.</source>
<translation>ここには修正するものがもうありません。</translation>
</message>
<message>
<source>There is nothing to go back to.</source>
<translation>戻る先がありません。</translation>
</message>
<message>
<source>There is nothing to go forward to.</source>
<translation>進む先がありません。</translation>
</message>
<message>
<source>There is nothing to keep: no change was made that went well.</source>
<translation>残すものがありません。成功した変更がありませんでした。</translation>
</message>
<message>
<source>There is nothing to redo.</source>
<translation>やり直すものがありません。</translation>
</message>
<message>
<source>There is nothing to undo.</source>
<translation>元に戻すものがありません。</translation>
</message>
<message>
<source>There is stock for all open orders</source>
<translation>未完了の注文はすべて在庫で足ります</translation>
</message>
<message>
<source>These lists cannot be read: {lists}.</source>
<translation>これらの一覧を読み取れません：{lists}。</translation>
</message>
<message>
<source>They are in the list, as the service has them. Nothing is deleted again by itself.</source>
<translation>サービスにあるとおりにリストに表示されています。自動で再び削除されることはありません。</translation>
</message>
<message>
<source>They are kept, and are not sent to this service.</source>
<translation>変更は残っていますが、このサービスには送信しません。</translation>
</message>
<message numerus="yes">
<source>They go out at the next start ({minutes}).</source>
<translation>
<numerusform>次回の起動時に送信します（{minutes}）。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>They go out at the next start.</source>
<translation>
<numerusform>次回の起動時に送信します。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>They go out once you have entered the key again: this computer has no keyring that keeps it.</source>
<translation>
<numerusform>キーをもう一度入力すると送信されます。このコンピューターには、キーを保管するキーリングがありません。</numerusform>
</translation>
</message>
<message>
<source>This address belongs to another server than the service’s own.</source>
<translation>このアドレスは、サービスのサーバーとは別のサーバーのものです。</translation>
</message>
<message>
<source>This cannot be checked now</source>
<translation>今はチェックできません</translation>
</message>
<message>
<source>This cannot be edited.</source>
<translation>これは編集できません。</translation>
</message>
<message>
<source>This cannot be understood.</source>
<translation>解釈できません。</translation>
</message>
<message>
<source>This cannot be understood: {text}</source>
<translation>解釈できません：{text}</translation>
</message>
<message>
<source>This cannot be undone.</source>
<translation>これは元に戻せません。</translation>
</message>
<message>
<source>This code cannot be remembered yet</source>
<translation>このコードはまだ登録できません</translation>
</message>
<message>
<source>This computer first read the whole shop on {time}; nothing is known from before.</source>
<translation>このコンピューターがショップ全体を最初に読み取ったのは{time}です。それ以前のことはわかりません。</translation>
</message>
<message>
<source>This computer has no keyring that can store a key.</source>
<translation>このコンピューターには、キーを保管できるキーリングがありません。</translation>
</message>
<message>
<source>This computer has no keyring that keeps secrets, so there is no key; only the document was asked for.</source>
<translation>このコンピューターには秘密情報を保管するキーリングがないため、キーがありません。問い合わせたのはドキュメントだけです。</translation>
</message>
<message>
<source>This computer has no printer. Save a PDF instead.</source>
<translation>このコンピューターにはプリンターがありません。代わりにPDFとして保存してください。</translation>
</message>
<message numerus="yes">
<source>This computer sent about {n} of them, other programs with the same key the rest.</source>
<translation>
<numerusform>このうち約{n}件はこのコンピューターが、残りは同じキーを使う他のプログラムが送信しました。</numerusform>
</translation>
</message>
<message>
<source>This computer trusts the certificate.</source>
<translation>このコンピューターは証明書を信頼しています。</translation>
</message>
<message>
<source>This computer’s keyring refused the request.</source>
<translation>このコンピューターのキーリングが要求を拒否しました。</translation>
</message>
<message>
<source>This computer’s time; the service’s clock is {ahead}.</source>
<translation>このコンピューターの時刻です。サービスの時計は{ahead}。</translation>
</message>
<message>
<source>This connection is read-only (File &gt; Connection settings).</source>
<translation>この接続は読み取り専用です（ファイル &gt; 接続設定）。</translation>
</message>
<message>
<source>This could not be checked.</source>
<translation>チェックできませんでした。</translation>
</message>
<message>
<source>This count is closed. Begin a new one to count.</source>
<translation>この棚卸は終了しています。カウントするには、新しい棚卸を始めてください。</translation>
</message>
<message>
<source>This date can be read in two ways.</source>
<translation>この日付は2通りに読めます。</translation>
</message>
<message>
<source>This date cannot be read. The service wrote: {raw}</source>
<translation>この日付を読み取れません。サービスの値：{raw}</translation>
</message>
<message>
<source>This day is still to come.</source>
<translation>まだ先の日付です。</translation>
</message>
<message>
<source>This file is empty.</source>
<translation>このファイルは空です。</translation>
</message>
<message>
<source>This file is too large. Nothing was imported. Split it, and import the parts.</source>
<translation>このファイルは大きすぎます。何もインポートしていません。ファイルを分割してインポートしてください。</translation>
</message>
<message>
<source>This is a PDF, not a table.</source>
<translation>これはPDFで、表ではありません。</translation>
</message>
<message>
<source>This is a compressed file. Unpack it, and import the table in it.</source>
<translation>これは圧縮ファイルです。展開して、中の表をインポートしてください。</translation>
</message>
<message>
<source>This is a database, not a table.</source>
<translation>これはデータベースで、表ではありません。</translation>
</message>
<message>
<source>This is a picture, not a table.</source>
<translation>これは画像で、表ではありません。</translation>
</message>
<message>
<source>This is a program, not a table.</source>
<translation>これはプログラムで、表ではありません。</translation>
</message>
<message>
<source>This is before the first day.</source>
<translation>開始日より前の日付です。</translation>
</message>
<message>
<source>This is being deleted.</source>
<translation>削除の処理中です。</translation>
</message>
<message>
<source>This is being sent and cannot be discarded now. What became of it is shown shortly.</source>
<translation>送信中のため、今は破棄できません。結果はまもなく表示されます。</translation>
</message>
<message>
<source>This is less than the limit per minute. Please check.</source>
<translation>1分あたりの上限より少なくなっています。確認してください。</translation>
</message>
<message>
<source>This is not a complete file of bar codes: {file}.</source>
<translation>バーコードのファイルとして完全ではありません：{file}。</translation>
</message>
<message>
<source>This is not a complete file of views: {file}.</source>
<translation>ビューのファイルとして完全ではありません：{file}。</translation>
</message>
<message>
<source>This is not a text file, so it has no table to read.</source>
<translation>テキストファイルではないため、読み取れる表がありません。</translation>
</message>
<message>
<source>This is not an OpenAPI document.</source>
<translation>これはOpenAPIドキュメントではありません。</translation>
</message>
<message>
<source>This is not an OpenAPI document: it does not say which version of OpenAPI it follows.</source>
<translation>OpenAPIドキュメントではありません：OpenAPIのバージョンが書かれていません。</translation>
</message>
<message>
<source>This is not an id.</source>
<translation>これはIDではありません。</translation>
</message>
<message>
<source>This is not sent yet: there is nothing to ask the service for.</source>
<translation>まだ送信されていないため、サービスに照会できるものがありません。</translation>
</message>
<message>
<source>This is not the address of a service.</source>
<translation>これはサービスのアドレスではありません。</translation>
</message>
<message>
<source>This is not the address of a service. Nothing was sent.</source>
<translation>これはサービスのアドレスではありません。何も送信していません。</translation>
</message>
<message>
<source>This is not the address of a service; one begins with https://.</source>
<translation>これはサービスのアドレスではありません。https://で始まるアドレスを入力してください。</translation>
</message>
<message>
<source>This is unusually long: ask the service’s provider. The program waits.</source>
<translation>異例の長さです。サービスの提供元に問い合わせてください。プログラムは待機します。</translation>
</message>
<message>
<source>This is worked out. Enter the minimum and “Order up to” in the columns before it.</source>
<translation>これは計算された値です。手前の列に最低在庫と発注の上限を入力してください。</translation>
</message>
<message>
<source>This key contains characters that cannot be sent. Copy it again.</source>
<translation>このキーに送信できない文字が含まれています。もう一度コピーしてください。</translation>
</message>
<message>
<source>This key is banned already; another request may make the ban longer.</source>
<translation>このキーはすでに利用停止中です。リクエストを送ると、停止がさらに長くなるおそれがあります。</translation>
</message>
<message>
<source>This key is banned for a while. Another key for the same service waits as long.</source>
<translation>このキーは一時的に利用停止中です。同じサービスの別のキーでも、待つ時間は同じです。</translation>
</message>
<message>
<source>This key is banned: nothing is sent before {time} (in {left})</source>
<translation>このキーは利用停止中です：{time}（あと{left}）まで何も送信しません</translation>
</message>
<message>
<source>This key is longer than 16,384 characters, which no service takes. Copy it again.</source>
<translation>このキーは16,384文字を超えています。この長さを受け付けるサービスはありません。もう一度コピーしてください。</translation>
</message>
<message>
<source>This key may not do this: {said}.</source>
<translation>このキーにはこの操作の権限がありません：{said}。</translation>
</message>
<message>
<source>This list cannot be read: {lists}.</source>
<translation>この一覧を読み取れません：{lists}。</translation>
</message>
<message>
<source>This may be the address of a website: ask for the address of the API. Or the network wants you to sign in first: open the address in a browser.</source>
<translation>Webサイトのアドレスかもしれません。APIのアドレスを問い合わせてください。または、ネットワークへのサインインが必要かもしれません。ブラウザーでアドレスを開いてください。</translation>
</message>
<message>
<source>This minute’s requests are used up: it goes on in {left}</source>
<translation>この1分のリクエストを使い切りました：再開まで{left}</translation>
</message>
<message>
<source>This month</source>
<translation>今月</translation>
</message>
<message>
<source>This number can be read in two ways.</source>
<translation>この数値は2通りに読めます。</translation>
</message>
<message>
<source>This number is too large for the service.</source>
<translation>この数値はサービスには大きすぎます。</translation>
</message>
<message>
<source>This number is too large.</source>
<translation>この数値は大きすぎます。</translation>
</message>
<message>
<source>This order</source>
<translation>このご注文</translation>
</message>
<message>
<source>This order has no id: it can only be read.</source>
<translation>この注文にはIDがないため、閲覧しかできません。</translation>
</message>
<message>
<source>This order is complete already.</source>
<translation>この注文はすでに完了しています。</translation>
</message>
<message>
<source>This pet is {status}.</source>
<translation>このペットは{status}です。</translation>
</message>
<message>
<source>This record is gone.</source>
<translation>このレコードはもうありません。</translation>
</message>
<message>
<source>This removes its key from the keyring and its data from this computer: the copy of its lists, the history, your views and minimum stock.</source>
<translation>キーリングのキーと、このコンピューターにあるデータ（一覧の写し、履歴、ビュー、最低在庫）を削除します。</translation>
</message>
<message>
<source>This replaces the view {name}.</source>
<translation>ビュー{name}を置き換えます。</translation>
</message>
<message>
<source>This service does not delete them: once sent, this cannot be undone.</source>
<translation>このサービスは削除に対応していないため、送信後は元に戻せません。</translation>
</message>
<message>
<source>This service does not offer that.</source>
<translation>このサービスでは提供していません。</translation>
</message>
<message>
<source>This service signs people in elsewhere. Paste an access token.</source>
<translation>このサービスでは別の場所でサインインします。アクセストークンを貼り付けてください。</translation>
</message>
<message>
<source>This shop has no categories yet</source>
<translation>このショップにはまだカテゴリがありません</translation>
</message>
<message>
<source>This shop has no orders</source>
<translation>このショップには注文がありません</translation>
</message>
<message>
<source>This shop has no pets yet</source>
<translation>このショップにはまだペットがありません</translation>
</message>
<message>
<source>This shop has no stock entries</source>
<translation>このショップには在庫データがありません</translation>
</message>
<message>
<source>This shop has not been read yet: what is in it is not known.</source>
<translation>このショップはまだ読み取っていないため、内容は不明です。</translation>
</message>
<message>
<source>This shop is empty. Add its first pet under Pets.</source>
<translation>このショップは空です。「ペット」で最初のペットを追加してください。</translation>
</message>
<message>
<source>This takes more than half of the requests that are left for today.</source>
<translation>今日の残りリクエストの半分以上を使います。</translation>
</message>
<message>
<source>This text can be read in several ways.</source>
<translation>この文字列は複数の読み方ができます。</translation>
</message>
<message>
<source>This value cannot be sent.</source>
<translation>この値は送信できません。</translation>
</message>
<message>
<source>This week</source>
<translation>今週</translation>
</message>
<message>
<source>This workbook cannot be read. Save it as XLSX or CSV, and import that.</source>
<translation>このブックを読み込めません。XLSXまたはCSVとして保存し、それをインポートしてください。</translation>
</message>
<message>
<source>This workbook is old or has a password. Save it as XLSX or CSV, and import that.</source>
<translation>このブックは古い形式か、パスワードで保護されています。XLSXまたはCSVとして保存し、それをインポートしてください。</translation>
</message>
<message>
<source>Throw away</source>
<translation>破棄</translation>
</message>
<message>
<source>Throw them away</source>
<translation>破棄する</translation>
</message>
<message>
<source>Time</source>
<translation>日時</translation>
</message>
<message>
<source>Times are this computer’s; the service’s clock is {ahead}.</source>
<translation>時刻はこのコンピューターのものです。サービスの時計は{ahead}。</translation>
</message>
<message>
<source>To</source>
<translation>終了</translation>
</message>
<message>
<source>To change</source>
<translation>変更</translation>
</message>
<message>
<source>To come</source>
<translation>今後</translation>
</message>
<message>
<source>To count</source>
<translation>未カウント</translation>
</message>
<message>
<source>To order</source>
<translation>発注数</translation>
</message>
<message>
<source>To report it, copy the details. Then continue.</source>
<translation>報告する場合は、詳細をコピーしてから続けてください。</translation>
</message>
<message>
<source>To send them, connect to that address again.</source>
<translation>送信するには、そのアドレスにもう一度接続してください。</translation>
</message>
<message>
<source>To set one, select pets, stock or categories, then choose Shop &gt; Minimum stock.</source>
<translation>設定するには、ペット、在庫、カテゴリのいずれかを選択し、「ショップ &gt; 最低在庫」を選びます。</translation>
</message>
<message>
<source>Today</source>
<translation>今日</translation>
</message>
<message numerus="yes">
<source>Today’s requests are not enough for this. The rest is saved on this computer, and goes out by itself on the next {n} days.</source>
<translation>
<numerusform>今日のリクエストでは足りません。残りはこのコンピューターに保存し、翌日以降{n}日間で自動的に送信します。</numerusform>
</translation>
</message>
<message>
<source>Today’s requests are used up</source>
<translation>今日のリクエストを使い切りました</translation>
</message>
<message>
<source>Today’s requests are used up: changes go out when the program is open after {time}.</source>
<translation>今日のリクエストは使い切りました。変更は、{time}以降にプログラムを開いているときに送信します。</translation>
</message>
<message numerus="yes">
<source>Today’s {n} requests are used up</source>
<translation>
<numerusform>今日のリクエスト{n}件を使い切りました</numerusform>
</translation>
</message>
<message>
<source>Tomorrow</source>
<translation>明日</translation>
</message>
<message>
<source>Too large.</source>
<translation>大きすぎます。</translation>
</message>
<message>
<source>Too small.</source>
<translation>小さすぎます。</translation>
</message>
<message>
<source>Took</source>
<translation>所要時間</translation>
</message>
<message>
<source>Took, s</source>
<translation>所要時間（秒）</translation>
</message>
<message>
<source>Treat scans as typing</source>
<translation>スキャンをキー入力として扱う</translation>
</message>
<message>
<source>Try again</source>
<translation>再試行</translation>
</message>
<message>
<source>Try again later.</source>
<translation>後でもう一度試してください。</translation>
</message>
<message>
<source>Try again later. If it keeps failing, ask the service’s provider.</source>
<translation>後でもう一度試してください。失敗が続く場合は、サービスの提供元に問い合わせてください。</translation>
</message>
<message>
<source>Try again later. If it keeps failing, tell the service’s provider.</source>
<translation>後でもう一度試してください。失敗が続く場合は、サービスの提供元に連絡してください。</translation>
</message>
<message>
<source>Try again, or see the server response.</source>
<translation>もう一度試すか、サーバーの応答を確認してください。</translation>
</message>
<message>
<source>Try again.</source>
<translation>もう一度試してください。</translation>
</message>
<message>
<source>Try again. If it fails again, ask the service’s provider.</source>
<translation>もう一度試してください。また失敗する場合は、サービスの提供元に問い合わせてください。</translation>
</message>
<message>
<source>Try again. If it fails again, check the network and the address.</source>
<translation>もう一度試してください。また失敗する場合は、ネットワークとアドレスを確認してください。</translation>
</message>
<message>
<source>Try again. If it happens often, check the network or the proxy.</source>
<translation>もう一度試してください。頻繁に起こる場合は、ネットワークまたはプロキシを確認してください。</translation>
</message>
<message>
<source>Try the demo shop</source>
<translation>デモショップを試す</translation>
</message>
<message>
<source>Type +12 into a stock, and Enter: saved on this computer first, then sent, once.</source>
<translation>在庫数に+12と入力してEnter。まずこのコンピューターに保存され、その後一度だけ送信されます。</translation>
</message>
<message>
<source>Type a name or an id</source>
<translation>名前またはIDを入力</translation>
</message>
<message>
<source>Type a pet’s name or id.</source>
<translation>ペットの名前またはIDを入力してください。</translation>
</message>
<message>
<source>Type in a cell to replace its value; +12 adds, =40 sets.</source>
<translation>セルに入力すると値が置き換わります。+12で加算、=40で設定します。</translation>
</message>
<message>
<source>Type it in the column Minimum, or select categories and choose Shop &gt; Minimum stock.</source>
<translation>「最低在庫」列に入力するか、カテゴリを選択して「ショップ &gt; 最低在庫」を選びます。</translation>
</message>
<message>
<source>UTF-16, other byte order</source>
<translation>UTF-16（逆のバイト順）</translation>
</message>
<message>
<source>Unconfirmed</source>
<translation>未確認</translation>
</message>
<message>
<source>Undo</source>
<translation>元に戻す</translation>
</message>
<message>
<source>Undo these changes</source>
<translation>これらの変更を元に戻す</translation>
</message>
<message>
<source>Undo what was before</source>
<translation>その前の操作を元に戻す</translation>
</message>
<message>
<source>Undo: {what}</source>
<translation>元に戻す：{what}</translation>
</message>
<message>
<source>Undone {time}, never sent.</source>
<translation>{time}に、送信前に元に戻しました。</translation>
</message>
<message>
<source>Undone {time}.</source>
<translation>{time}に元に戻しました。</translation>
</message>
<message>
<source>Undone {time}; the service had refused it.</source>
<translation>{time}に元に戻しました。サービスに拒否されていました。</translation>
</message>
<message>
<source>Undone: {what}</source>
<translation>元に戻しました：{what}</translation>
</message>
<message>
<source>Unexpected error: {name}.</source>
<translation>予期しないエラー：{name}。</translation>
</message>
<message>
<source>Unfr&amp;eeze columns</source>
<translation>列の固定を解除(&amp;E)</translation>
</message>
<message>
<source>Unknown code</source>
<translation>未登録のコード</translation>
</message>
<message>
<source>Unknown code {code}</source>
<translation>未登録のコード {code}</translation>
</message>
<message>
<source>Unknown code {code}: kept under Unknown codes</source>
<translation>未登録のコード{code}：「未登録のコード」に保管しました</translation>
</message>
<message>
<source>Unknown codes</source>
<translation>未登録のコード</translation>
</message>
<message>
<source>Unlock it, then enter the key again.</source>
<translation>ロックを解除して、キーをもう一度入力してください。</translation>
</message>
<message>
<source>Unlock or set up the keyring, then enter the key again.</source>
<translation>キーリングのロック解除または設定を行い、キーをもう一度入力してください。</translation>
</message>
<message>
<source>Unlock the keyring, then check again.</source>
<translation>キーリングのロックを解除して、もう一度チェックしてください。</translation>
</message>
<message>
<source>Unsent</source>
<translation>未送信</translation>
</message>
<message>
<source>Unsent categories</source>
<translation>未送信のカテゴリ</translation>
</message>
<message>
<source>Unsent changes are discarded; the records show the service’s values again.</source>
<translation>未送信の変更を破棄し、レコードをサービスの値に戻します。</translation>
</message>
<message>
<source>Unsent changes stay here until you turn this off.</source>
<translation>オフにするまで、未送信の変更はこのコンピューターに残ります。</translation>
</message>
<message>
<source>Unsent orders</source>
<translation>未送信の注文</translation>
</message>
<message>
<source>Unsent stock</source>
<translation>未送信の在庫</translation>
</message>
<message>
<source>Unusually large: please check</source>
<translation>極端に大きい値：確認してください</translation>
</message>
<message>
<source>Up and Down change the part under the caret, Alt+Down opens a calendar</source>
<translation>上下の矢印キーでカーソル位置の値を変更、Alt+↓でカレンダーを開きます</translation>
</message>
<message>
<source>Use QR codes</source>
<translation>QRコードを使う</translation>
</message>
<message>
<source>Use an address that begins with https://. Plain http works only on this computer.</source>
<translation>https://で始まるアドレスを使ってください。httpが使えるのはこのコンピューター内だけです。</translation>
</message>
<message>
<source>Use for this</source>
<translation>使うもの</translation>
</message>
<message>
<source>Use for “{what}”</source>
<translation>「{what}」に使うもの</translation>
</message>
<message>
<source>Use that window, or close it.</source>
<translation>そのウィンドウを使うか、閉じてください。</translation>
</message>
<message>
<source>Use this key</source>
<translation>このキーを使う</translation>
</message>
<message>
<source>Use this size</source>
<translation>このサイズを使う</translation>
</message>
<message>
<source>Use {address}</source>
<translation>{address}を使う</translation>
</message>
<message>
<source>Use {url}.</source>
<translation>{url}を使ってください。</translation>
</message>
<message>
<source>Used in the last 24 hours</source>
<translation>過去24時間の使用数</translation>
</message>
<message>
<source>Used since {time}</source>
<translation>{time}以降の使用数</translation>
</message>
<message>
<source>Used today</source>
<translation>今日の使用数</translation>
</message>
<message>
<source>Used up</source>
<translation>使い切りました</translation>
</message>
<message>
<source>Used up at about {time} at this pace</source>
<translation>このペースでは{time}頃に使い切り</translation>
</message>
<message>
<source>Used up. Full again at {time}.</source>
<translation>使い切りました。{time}に上限まで回復します。</translation>
</message>
<message>
<source>Values that the service needs and that are not known: {names}. Enter them in the connection’s settings.</source>
<translation>サービスに必要で、値が不明なもの：{names}。接続設定で入力してください。</translation>
</message>
<message>
<source>Variances</source>
<translation>差異</translation>
</message>
<message>
<source>Version {version}</source>
<translation>バージョン {version}</translation>
</message>
<message>
<source>Version {version} is available</source>
<translation>バージョン {version} があります</translation>
</message>
<message>
<source>Vie&amp;ws</source>
<translation>ビュー(&amp;W)</translation>
</message>
<message>
<source>View {n} of the file</source>
<translation>ファイルの{n}番目のビュー</translation>
</message>
<message>
<source>View {n} of the file, {name}</source>
<translation>ファイルの{n}番目のビュー{name}</translation>
</message>
<message>
<source>View · {list}</source>
<translation>ビュー · {list}</translation>
</message>
<message>
<source>Views (*.json)</source>
<translation>ビュー (*.json)</translation>
</message>
<message>
<source>Views of this list</source>
<translation>この一覧のビュー</translation>
</message>
<message>
<source>Violet</source>
<translation>紫</translation>
</message>
<message>
<source>Wait until the ban ends. Check whether another program still sends with this key.</source>
<translation>利用停止が終わるまで待ってください。別のプログラムがこのキーで送信を続けていないか確認してください。</translation>
</message>
<message>
<source>Wait, then check again.</source>
<translation>しばらく待ってから、もう一度チェックしてください。</translation>
</message>
<message>
<source>Wait: it goes on by itself. If it happens again, ask the service’s provider.</source>
<translation>お待ちください。自動的に再開します。また起こる場合は、サービスの提供元に問い合わせてください。</translation>
</message>
<message>
<source>Wait: sending now would make the ban longer.</source>
<translation>お待ちください。今送信すると、利用停止がさらに長くなります。</translation>
</message>
<message>
<source>Waited</source>
<translation>待ち時間</translation>
</message>
<message>
<source>Waited, s</source>
<translation>待ち時間（秒）</translation>
</message>
<message>
<source>Waiting</source>
<translation>送信待ち</translation>
</message>
<message>
<source>Waiting: {wait}.</source>
<translation>待機中：{wait}。</translation>
</message>
<message>
<source>Waits for its turn, until {time}.</source>
<translation>{time}まで順番を待っています。</translation>
</message>
<message>
<source>Waits for its turn.</source>
<translation>順番を待っています。</translation>
</message>
<message>
<source>Waits for the minute’s requests, until {time}.</source>
<translation>{time}まで、次の1分間のリクエストを待っています。</translation>
</message>
<message>
<source>Waits for the minute’s requests.</source>
<translation>次の1分間のリクエストを待っています。</translation>
</message>
<message>
<source>Waits for the next day’s requests, until {time}.</source>
<translation>{time}まで、翌日のリクエストを待っています。</translation>
</message>
<message>
<source>Waits for the next day’s requests.</source>
<translation>翌日のリクエストを待っています。</translation>
</message>
<message>
<source>Weekly report: &amp;last week…</source>
<translation>週報：先週(&amp;L)…</translation>
</message>
<message>
<source>Weekly report: &amp;this week…</source>
<translation>週報：今週(&amp;T)…</translation>
</message>
<message>
<source>What</source>
<translation>内容</translation>
</message>
<message>
<source>What came in</source>
<translation>入荷の内容</translation>
</message>
<message>
<source>What changed</source>
<translation>変更された内容</translation>
</message>
<message>
<source>What changed in these days is not known.</source>
<translation>この期間の変更は不明です。</translation>
</message>
<message numerus="yes">
<source>What changed in {lists} is not known: these lists have not been read whole.</source>
<translation>
<numerusform>{lists}の変更は不明です。一覧をすべては読み取っていません。</numerusform>
</translation>
</message>
<message>
<source>What changed is known since {time}, when the history on this computer begins.</source>
<translation>変更がわかるのは、このコンピューターの履歴が始まった{time}以降です。</translation>
</message>
<message>
<source>What changed since {time} is not known.</source>
<translation>{time}以降の変更は不明です。</translation>
</message>
<message>
<source>What changes while you are away is listed here.</source>
<translation>離れている間の変更は、ここに一覧表示されます。</translation>
</message>
<message>
<source>What is shown</source>
<translation>表示中の内容</translation>
</message>
<message>
<source>What to count</source>
<translation>棚卸の範囲</translation>
</message>
<message>
<source>What was sent is in the shop. Changes that were still waiting are not sent by themselves.</source>
<translation>送信済みの変更はショップに反映されています。送信待ちだった変更は自動では送信されません。</translation>
</message>
<message>
<source>What was sent is in the shop. Changes that were still waiting, if any, are lost with the file.</source>
<translation>送信済みの変更はショップに反映されています。送信待ちの変更があった場合は、ファイルとともに失われました。</translation>
</message>
<message numerus="yes">
<source>What was sent is in the shop. {n} changes that were still waiting are not sent by themselves; they are listed in {list}.</source>
<translation>
<numerusform>送信済みの変更はショップに反映されています。送信待ちだった変更{n}件は自動では送信されません。「{list}」に一覧があります。</numerusform>
</translation>
</message>
<message>
<source>What will change</source>
<translation>変更の内容</translation>
</message>
<message>
<source>What you add here is saved at once and sent to the service.</source>
<translation>ここで追加したものはすぐに保存され、サービスに送信されます。</translation>
</message>
<message>
<source>What you did here is thrown away. Nothing of it has reached the shop.</source>
<translation>ここで行ったことは破棄されます。ショップには何も届いていません。</translation>
</message>
<message>
<source>What you saved is safe.</source>
<translation>保存した内容は安全です。</translation>
</message>
<message>
<source>What you saved is safe. This report stays on this computer; it holds no key and no record.</source>
<translation>保存した内容は安全です。このレポートはこのコンピューターに残り、キーもレコードも含みません。</translation>
</message>
<message>
<source>What you typed will be lost.</source>
<translation>入力した内容は失われます。</translation>
</message>
<message>
<source>What {shop} offers is not known yet.</source>
<translation>{shop}が何を提供しているか、まだわかりません。</translation>
</message>
<message>
<source>Which id of an entry a change of stock means ({name}, or the entry’s own) is found out by reading, before the first one; where the service does not tell, stock is only read.</source>
<translation>在庫の変更がどのID（{name}か、項目自身のIDか）を指すかは、最初の変更の前に読み込みで確かめます。サービスが示さない場合、在庫は読み取り専用です。</translation>
</message>
<message>
<source>Which orders are overdue is not known.</source>
<translation>どの注文が期限超過かは不明です。</translation>
</message>
<message>
<source>Which pet is {code}?</source>
<translation>{code}はどのペットですか？</translation>
</message>
<message>
<source>Which pet is {code}? Type its id or name, then press Enter.</source>
<translation>{code}はどのペットですか？ IDまたは名前を入力し、Enterを押してください。</translation>
</message>
<message>
<source>Which pet?</source>
<translation>どのペットですか？</translation>
</message>
<message>
<source>Which stock is low is not known.</source>
<translation>どの在庫が不足しているかは不明です。</translation>
</message>
<message>
<source>Who</source>
<translation>変更元</translation>
</message>
<message>
<source>Windows, Arabic (1256)</source>
<translation>アラビア語（Windows-1256）</translation>
</message>
<message>
<source>Windows, Baltic (1257)</source>
<translation>バルト語（Windows-1257）</translation>
</message>
<message>
<source>Windows, Central Europe (1250)</source>
<translation>中央ヨーロッパ（Windows-1250）</translation>
</message>
<message>
<source>Windows, Cyrillic (1251)</source>
<translation>キリル文字（Windows-1251）</translation>
</message>
<message>
<source>Windows, Greek (1253)</source>
<translation>ギリシャ語（Windows-1253）</translation>
</message>
<message>
<source>Windows, Hebrew (1255)</source>
<translation>ヘブライ語（Windows-1255）</translation>
</message>
<message>
<source>Windows, Thai (874)</source>
<translation>タイ語（Windows-874）</translation>
</message>
<message>
<source>Windows, Turkish (1254)</source>
<translation>トルコ語（Windows-1254）</translation>
</message>
<message>
<source>Windows, Western (1252)</source>
<translation>西ヨーロッパ（Windows-1252）</translation>
</message>
<message>
<source>With plain http, others on the way to {host} could read the key. Nothing was sent.</source>
<translation>暗号化のないhttpでは、{host}までの経路で第三者にキーを読まれるおそれがあります。何も送信していません。</translation>
</message>
<message>
<source>Without</source>
<translation>これを外すと</translation>
</message>
<message>
<source>Without a category</source>
<translation>カテゴリなし</translation>
</message>
<message>
<source>Without a ship date</source>
<translation>発送日なし</translation>
</message>
<message>
<source>Without a time zone, shown as it is. The service wrote: {raw}</source>
<translation>タイムゾーンがないため、そのまま表示しています。サービスの値：{raw}</translation>
</message>
<message>
<source>Worth a look</source>
<translation>気になる点</translation>
</message>
<message>
<source>Write names with dots between them, such as category.id.</source>
<translation>category.idのように、名前をピリオドで区切って入力してください。</translation>
</message>
<message>
<source>Wrong</source>
<translation>エラー</translation>
</message>
<message>
<source>Year-Month-Day</source>
<translation>年-月-日</translation>
</message>
<message>
<source>Yesterday</source>
<translation>昨日</translation>
</message>
<message>
<source>You already have all bar codes of the file</source>
<translation>ファイルのバーコードはすべて登録済みです</translation>
</message>
<message>
<source>You already have all views of the file</source>
<translation>ファイルのビューはすべてすでにあります</translation>
</message>
<message>
<source>You can read and edit everything on this computer.</source>
<translation>このコンピューターではすべて閲覧・編集できます。</translation>
</message>
<message>
<source>You can set a minimum once the service has given it an id</source>
<translation>最低在庫は、サービスでIDが付いた後に設定できます</translation>
</message>
<message>
<source>You can undo it here, even weeks later.</source>
<translation>数週間後でも、ここで元に戻せます。</translation>
</message>
<message>
<source>You chose {endpoint}, which the document no longer has or which cannot be used.</source>
<translation>選択した{endpoint}は、ドキュメントからなくなったか、使えません。</translation>
</message>
<message numerus="yes">
<source>You corrected {n} cells.</source>
<translation>
<numerusform>セル{n}個を修正しています。</numerusform>
</translation>
</message>
<message>
<source>You don’t need to do anything.</source>
<translation>何もする必要はありません。</translation>
</message>
<message>
<source>You have not been away yet.</source>
<translation>前回の記録がまだありません。</translation>
</message>
<message>
<source>You, {time}</source>
<translation>自分、{time}</translation>
</message>
<message>
<source>Your bar codes are unchanged.</source>
<translation>バーコードは変わっていません。</translation>
</message>
<message>
<source>Your changes and all other data are safe. The readable part of it is still used.</source>
<translation>変更と他のデータはすべて安全です。読み取れた部分は引き続き使われます。</translation>
</message>
<message>
<source>Your changes and all other data are safe; only that list starts again.</source>
<translation>変更と他のデータはすべて安全です。この一覧だけが最初からになります。</translation>
</message>
<message>
<source>Your changes and all other data are safe; only the history starts again.</source>
<translation>変更と他のデータはすべて安全です。履歴だけが最初からになります。</translation>
</message>
<message>
<source>Your changes are kept in a network folder: {file}.</source>
<translation>変更がネットワークフォルダーに保存されています：{file}。</translation>
</message>
<message>
<source>Your changes are safe, and all else goes on. What changes meanwhile is recorded with less exact times.</source>
<translation>変更は安全で、他の処理も続きます。この間の変化は、おおよその時刻で記録されます。</translation>
</message>
<message>
<source>Your changes are safe, and sending goes on; only the list of requests will have gaps.</source>
<translation>変更は安全で、送信も続きます。リクエストの一覧にだけ抜けが生じます。</translation>
</message>
<message>
<source>Your changes are safe. Before anything else is sent, one test request checks for a pause.</source>
<translation>変更は安全に保存されています。他の送信の前に、テストリクエスト1件で一時停止中かどうかを確認します。</translation>
</message>
<message>
<source>Your changes are safe; its data is read from the service again.</source>
<translation>変更は安全です。このファイルのデータはサービスから読み直します。</translation>
</message>
<message>
<source>Your changes are saved on this computer and go out by themselves {when}.</source>
<translation>変更はこのコンピューターに保存されており、{when}自動的に送信します。</translation>
</message>
<message>
<source>Your changes are saved on this computer.</source>
<translation>変更はこのコンピューターに保存されています。</translation>
</message>
<message>
<source>Your changes are saved on this computer; nothing is sent until a key works.</source>
<translation>変更はこのコンピューターに保存されています。使えるキーがあるまで何も送信しません。</translation>
</message>
<message>
<source>Your changes are saved on this computer; what needs this key is not sent until one works.</source>
<translation>変更はこのコンピューターに保存されています。このキーが必要なものは、使えるキーがあるまで送信しません。</translation>
</message>
<message>
<source>Your changes are saved on this computer; what needs this key is not sent until then.</source>
<translation>変更はこのコンピューターに保存されています。このキーが必要なものは、それまで送信しません。</translation>
</message>
<message>
<source>Your data on this computer is kept.</source>
<translation>このコンピューターのデータは残っています。</translation>
</message>
<message>
<source>Your draft of {time} is filled in.</source>
<translation>{time}の下書きを復元しました。</translation>
</message>
<message numerus="yes">
<source>Your plan allows {n} in a minute, and this computer has sent as many.</source>
<translation>
<numerusform>プランの上限は1分に{n}件で、このコンピューターがすでにその数を送信しました。</numerusform>
</translation>
</message>
<message>
<source>Your shops</source>
<translation>ショップ一覧</translation>
</message>
<message>
<source>Your shop’s name, or a greeting</source>
<translation>ショップの名前やあいさつなど</translation>
</message>
<message>
<source>Your shop’s pets, stock and orders, online and offline.</source>
<translation>ショップのペット、在庫、注文を、オンラインでもオフラインでも。</translation>
</message>
<message>
<source>Your views are unchanged.</source>
<translation>ビューは変わっていません。</translation>
</message>
<message numerus="yes">
<source>Your {n} changes are saved on this computer and go out afterwards.</source>
<translation>
<numerusform>変更{n}件はこのコンピューターに保存されており、その後送信します。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Your {n} changes are saved on this computer; they go out by themselves {when}.</source>
<translation>
<numerusform>変更{n}件はこのコンピューターに保存されており、{when}自動的に送信します。</numerusform>
</translation>
</message>
<message>
<source>Yours of {acted}; changed elsewhere, seen {seen}.</source>
<translation>自分の変更は{acted}、外部の変更は{seen}に検出。</translation>
</message>
<message>
<source>a cache answered for the service, so that a change by somebody else could have been overwritten. Sent again, it rests on what was last seen</source>
<translation>サービスの代わりにキャッシュが応答しました。他の人の変更を上書きするおそれがありました。再送信すると、最後に読み取った内容をもとに変更します</translation>
</message>
<message>
<source>a cell holds at most {most} signs, and a text is longer; nothing was written: use csv or json</source>
<translation>セルに入るのは{most}文字までですが、それより長いテキストがあります。何も書き込まれていません：csvかjsonを使ってください</translation>
</message>
<message>
<source>a connection needs a name</source>
<translation>接続には名前が必要です</translation>
</message>
<message>
<source>a day such as {day}, or a word such as today</source>
<translation>{day}のような日付や「今日」のような語</translation>
</message>
<message>
<source>a deleted order stays deleted</source>
<translation>削除した注文は元に戻りません</translation>
</message>
<message>
<source>a file in the format {format} is nothing for a terminal; say where it is to go with --out FILE</source>
<translation>{format}形式のファイルは端末には表示できません。--out ファイル で保存先を指定してください</translation>
</message>
<message>
<source>a guess, read only</source>
<translation>推測、読み取りのみ</translation>
</message>
<message>
<source>a later day</source>
<translation>後日</translation>
</message>
<message>
<source>a moment</source>
<translation>1分未満</translation>
</message>
<message>
<source>a number from 1 to 1,000,000</source>
<translation>1から1,000,000までの数</translation>
</message>
<message>
<source>a number such as 5, &gt;10 or 10..20</source>
<translation>5、&gt;10、10..20のような数値</translation>
</message>
<message>
<source>a sheet holds at most {most} rows; nothing was written: use the format csv or json</source>
<translation>シートに入るのは{most}行までです。何も書き込まれていません：csvかjson形式を使ってください</translation>
</message>
<message>
<source>a test request checks whether sending may resume</source>
<translation>再開できるかテストリクエストで確認中</translation>
</message>
<message>
<source>a web page came back instead of data.</source>
<translation>データではなくWebページが返されました。</translation>
</message>
<message>
<source>a web page, such as a login page, answered instead of the service, and nothing was changed</source>
<translation>サービスではなく、ログインページなどのWebページが応答しました。何も変更されていません</translation>
</message>
<message numerus="yes">
<source>about {n} days</source>
<translation>
<numerusform>約{n}日</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} days left</source>
<translation>
<numerusform>残り約{n}日分</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} h</source>
<translation>
<numerusform>約{n}時間</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} min</source>
<translation>
<numerusform>約{n}分</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} requests</source>
<translation>
<numerusform>リクエスト約{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} s</source>
<translation>
<numerusform>約{n}秒</numerusform>
</translation>
</message>
<message>
<source>add create animal</source>
<translation>追加 作成 登録 動物 ついか</translation>
</message>
<message>
<source>add create group</source>
<translation>追加 作成 登録 分類 グループ</translation>
</message>
<message>
<source>add create sell sale place phone call customer</source>
<translation>追加 作成 登録 販売 売る 受注 電話 お客様 顧客</translation>
</message>
<message>
<source>after {time} (in {left})</source>
<translation>{time}（あと{left}）以降に</translation>
</message>
<message>
<source>again repeat</source>
<translation>もう一度 繰り返し リドゥ</translation>
</message>
<message>
<source>ahead of</source>
<translation>進んでいます</translation>
</message>
<message>
<source>ambiguous option: {words} could match {names}</source>
<translation>オプションがあいまいです：{words} は {names} の可能性があります</translation>
</message>
<message>
<source>an authority</source>
<translation>不明な認証局</translation>
</message>
<message>
<source>an empty list</source>
<translation>空のリスト</translation>
</message>
<message>
<source>an empty object</source>
<translation>空のオブジェクト</translation>
</message>
<message>
<source>an empty text</source>
<translation>空の文字列</translation>
</message>
<message>
<source>an unknown time</source>
<translation>不明な時刻</translation>
</message>
<message numerus="yes">
<source>and {n} more</source>
<translation>
<numerusform>ほか{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>and {n} more categories</source>
<translation>
<numerusform>ほか{n}カテゴリ</numerusform>
</translation>
</message>
<message>
<source>another address</source>
<translation>別のアドレス</translation>
</message>
<message>
<source>another connection is called {name}; choose another name</source>
<translation>{name}という接続が他にあります。別の名前を選んでください</translation>
</message>
<message>
<source>another name</source>
<translation>別の名前</translation>
</message>
<message>
<source>another one</source>
<translation>別の名前</translation>
</message>
<message>
<source>answered</source>
<translation>応答あり</translation>
</message>
<message>
<source>anything about categories</source>
<translation>カテゴリに関するすべて</translation>
</message>
<message>
<source>anything about orders</source>
<translation>注文に関するすべて</translation>
</message>
<message>
<source>anything about pets</source>
<translation>ペットに関するすべて</translation>
</message>
<message>
<source>anything about the stock</source>
<translation>在庫に関するすべて</translation>
</message>
<message>
<source>api endpoints openapi document contract offers deprecated beta</source>
<translation>api エンドポイント openapi ドキュメント 仕様 提供 廃止予定 ベータ</translation>
</message>
<message>
<source>api key password token secret credentials log in login</source>
<translation>api キー パスワード トークン 秘密 認証情報 資格情報 ログイン サインイン</translation>
</message>
<message>
<source>argument {name}: {what}</source>
<translation>引数 {name}：{what}</translation>
</message>
<message>
<source>as in the address</source>
<translation>アドレスと同じ</translation>
</message>
<message>
<source>as of {time}</source>
<translation>{time}時点</translation>
</message>
<message>
<source>as published</source>
<translation>公開されているもの</translation>
</message>
<message>
<source>as soon as the day has requests again</source>
<translation>1日のリクエストが回復しだい</translation>
</message>
<message>
<source>as the program names it</source>
<translation>プログラムと同じ名前</translation>
</message>
<message>
<source>as the service sets it</source>
<translation>サービスが設定</translation>
</message>
<message>
<source>asked for #{asked}, the service answered with #{got}.</source>
<translation>#{asked}を照会しましたが、サービスは#{got}を返しました。</translation>
</message>
<message>
<source>attention  refused, in conflict or unconfirmed</source>
<translation>要対応  拒否、競合、未確認</translation>
</message>
<message>
<source>automatic</source>
<translation>自動</translation>
</message>
<message>
<source>available</source>
<translation>販売中</translation>
</message>
<message>
<source>background</source>
<translation>バックグラウンド</translation>
</message>
<message>
<source>bar code {code}</source>
<translation>バーコード {code}</translation>
</message>
<message>
<source>bar codes</source>
<comment>the name of a file</comment>
<translation>バーコード</translation>
</message>
<message>
<source>barcode bar code qr sticker tag print shelf</source>
<translation>バーコード 値札 qr シール ステッカー タグ 印刷 棚札</translation>
</message>
<message>
<source>begun {time}</source>
<translation>{time}開始</translation>
</message>
<message>
<source>behind</source>
<translation>遅れています</translation>
</message>
<message>
<source>being sent</source>
<translation>送信中</translation>
</message>
<message>
<source>below-zero  the stock is below zero</source>
<translation>マイナス在庫  在庫が0を下回っている</translation>
</message>
<message>
<source>beta</source>
<translation>ベータ版</translation>
</message>
<message>
<source>booked</source>
<translation>反映済み</translation>
</message>
<message>
<source>broken off</source>
<translation>途中で切断</translation>
</message>
<message>
<source>bug report log</source>
<translation>不具合 バグ 報告 ログ</translation>
</message>
<message>
<source>cancel orders</source>
<translation>注文のキャンセル</translation>
</message>
<message>
<source>cancelled</source>
<translation>キャンセル</translation>
</message>
<message>
<source>categories</source>
<translation>カテゴリ</translation>
</message>
<message>
<source>category {id}</source>
<translation>カテゴリ {id}</translation>
</message>
<message>
<source>change categories</source>
<translation>カテゴリの変更</translation>
</message>
<message>
<source>change connection server window</source>
<translation>変更 接続 サーバー ウィンドウ</translation>
</message>
<message>
<source>change orders</source>
<translation>注文の変更</translation>
</message>
<message>
<source>change pets</source>
<translation>ペットの変更</translation>
</message>
<message>
<source>change quantity amount count inventory book</source>
<translation>変更 数量 個数 点数 棚卸 入庫 出庫</translation>
</message>
<message>
<source>change rename modify</source>
<translation>変更 名前 修正 書き換え</translation>
</message>
<message>
<source>change rename modify bulk</source>
<translation>変更 名前 修正 書き換え 一括</translation>
</message>
<message>
<source>change the stock</source>
<translation>在庫の変更</translation>
</message>
<message>
<source>changed</source>
<translation>変更</translation>
</message>
<message>
<source>changed  today, by you or at the service</source>
<translation>変更  今日、自分またはサービス側で変更</translation>
</message>
<message>
<source>changed by somebody else</source>
<translation>他の人が変更</translation>
</message>
<message>
<source>changed elsewhere</source>
<translation>外部で変更</translation>
</message>
<message>
<source>changes</source>
<translation>変更の送信</translation>
</message>
<message>
<source>changes to</source>
<translation>変更後</translation>
</message>
<message>
<source>changes to {value}</source>
<translation>{value}に変更</translation>
</message>
<message>
<source>changes wait for the next day</source>
<translation>変更は翌日まで待機</translation>
</message>
<message>
<source>changes {day}</source>
<comment>the name of a file</comment>
<translation>変更 {day}</translation>
</message>
<message>
<source>changes {first} to {last}</source>
<comment>the name of a file</comment>
<translation>変更 {first}から{last}</translation>
</message>
<message>
<source>chosen by you</source>
<translation>自分で選択</translation>
</message>
<message>
<source>clipboard</source>
<translation>クリップボード</translation>
</message>
<message>
<source>clipboard answer order read out phone call customer</source>
<translation>クリップボード 回答 返事 注文 読み上げ 電話 お客様 顧客</translation>
</message>
<message>
<source>clipboard insert excel</source>
<translation>クリップボード 挿入 ペースト excel エクセル</translation>
</message>
<message>
<source>clipboard number</source>
<translation>クリップボード 番号</translation>
</message>
<message>
<source>clipboard titles columns excel</source>
<translation>クリップボード タイトル 列名 列 excel エクセル</translation>
</message>
<message>
<source>complete</source>
<translation>完了</translation>
</message>
<message>
<source>conflicts errors failed problems attention review</source>
<translation>競合 エラー 失敗 問題 注意 確認</translation>
</message>
<message>
<source>continue go on pause ban limit</source>
<translation>続ける 続行 一時停止 利用停止 上限</translation>
</message>
<message>
<source>copied {time}</source>
<translation>{time}にコピー</translation>
</message>
<message>
<source>count of {what}</source>
<translation>{what}の棚卸</translation>
</message>
<message>
<source>counted at {time}</source>
<translation>{time}に数えました</translation>
</message>
<message>
<source>counting</source>
<translation>カウント中</translation>
</message>
<message>
<source>counting…</source>
<translation>集計中…</translation>
</message>
<message>
<source>counts as done; nothing is sent</source>
<translation>届いていたものとして扱い、何も送信しません</translation>
</message>
<message>
<source>created</source>
<translation>作成</translation>
</message>
<message>
<source>csv excel xlsx spreadsheet table file load read upload open</source>
<translation>csv excel エクセル xlsx 表計算 表 ファイル 取り込み 読み込み 開く アップロード</translation>
</message>
<message>
<source>csv excel xlsx spreadsheet table file save download</source>
<translation>csv excel エクセル xlsx 表計算 表 ファイル 書き出し 保存 ダウンロード</translation>
</message>
<message>
<source>d day days|w week weeks</source>
<comment>words after +3; those for days and for weeks</comment>
<translation>日 日間|週 週間</translation>
</message>
<message>
<source>day after tomorrow</source>
<translation>明後日</translation>
</message>
<message>
<source>day used up for {left}</source>
<translation>1日の上限に到達、あと{left}</translation>
</message>
<message numerus="yes">
<source>decision about {n} changes</source>
<translation>
<numerusform>変更{n}件の決定</numerusform>
</translation>
</message>
<message>
<source>delete</source>
<translation>削除</translation>
</message>
<message>
<source>delete categories</source>
<translation>カテゴリの削除</translation>
</message>
<message>
<source>delete pets</source>
<translation>ペットの削除</translation>
</message>
<message>
<source>delete remove</source>
<translation>削除 取り消し 取りやめ</translation>
</message>
<message>
<source>delete {record}</source>
<translation>{record}の削除</translation>
</message>
<message>
<source>deleted</source>
<translation>削除</translation>
</message>
<message>
<source>deletion of the view {name}</source>
<translation>ビュー「{name}」の削除</translation>
</message>
<message>
<source>demo shop</source>
<translation>デモショップ</translation>
</message>
<message>
<source>deprecated</source>
<translation>廃止予定</translation>
</message>
<message>
<source>deprecated, until {day}</source>
<translation>廃止予定、{day}まで</translation>
</message>
<message>
<source>different values</source>
<translation>複数の値</translation>
</message>
<message>
<source>discarded</source>
<translation>破棄</translation>
</message>
<message>
<source>done {moment}</source>
<translation>{moment}に完了</translation>
</message>
<message>
<source>each pet in {category}</source>
<translation>{category}の各ペット</translation>
</message>
<message numerus="yes">
<source>each pet in {n} categories</source>
<translation>
<numerusform>{n}カテゴリの各ペット</numerusform>
</translation>
</message>
<message>
<source>elsewhere</source>
<comment>changed by another program</comment>
<translation>外部</translation>
</message>
<message>
<source>empty</source>
<translation>空</translation>
</message>
<message>
<source>every answer takes {seconds} s</source>
<translation>応答に毎回{seconds}秒かかる</translation>
</message>
<message>
<source>every {every} s a pause of {lasts} s, first at {first}</source>
<translation>{every}秒ごとに{lasts}秒の一時停止、最初は{first}</translation>
</message>
<message>
<source>exclude hide not filter</source>
<translation>除く 隠す 非表示 以外 フィルター</translation>
</message>
<message>
<source>exit close end leave</source>
<translation>閉じる 終わる やめる 退出</translation>
</message>
<message>
<source>expected at least one argument</source>
<translation>値が1つ以上必要です</translation>
</message>
<message>
<source>expected one argument</source>
<translation>値がありません</translation>
</message>
<message>
<source>experimental</source>
<translation>試験版</translation>
</message>
<message>
<source>failed there</source>
<translation>サービス側のエラー</translation>
</message>
<message>
<source>file json share load</source>
<translation>ファイル json 共有 読み込み 取り込み</translation>
</message>
<message>
<source>file json share save</source>
<translation>ファイル json 共有 保存 書き出し</translation>
</message>
<message>
<source>filter bookmark favourite new add</source>
<translation>フィルター ブックマーク お気に入り 新規 追加</translation>
</message>
<message>
<source>find search fetch number</source>
<translation>検索 探す 取得 番号</translation>
</message>
<message>
<source>for example {example}</source>
<translation>例：{example}</translation>
</message>
<message>
<source>forgetting of {code}</source>
<translation>{code}の登録解除</translation>
</message>
<message>
<source>found</source>
<translation>検出</translation>
</message>
<message>
<source>goes on after {time} ({why})</source>
<translation>{time}以降に再開（{why}）</translation>
</message>
<message>
<source>goes out with the next `petstore-desktop sync`, import or booking, or while the window is open</source>
<translation>次回の`petstore-desktop sync`、インポート、入出庫のとき、またはウィンドウを開いている間に送信されます</translation>
</message>
<message>
<source>goods delivery supplier scan scanner book in stock arrived</source>
<translation>商品 納品 入庫 仕入先 仕入れ スキャン スキャナー 在庫 到着</translation>
</message>
<message>
<source>help handbook guide how to</source>
<translation>ヘルプ マニュアル ガイド 使い方</translation>
</message>
<message>
<source>here</source>
<comment>changed with this program</comment>
<translation>このプログラム</translation>
</message>
<message>
<source>here and elsewhere</source>
<comment>changed with this program and by another one</comment>
<translation>このプログラムと外部</translation>
</message>
<message>
<source>hidden</source>
<translation>非表示</translation>
</message>
<message>
<source>hidden until the next scan</source>
<translation>次のスキャンまで非表示</translation>
</message>
<message>
<source>hide show visible fields</source>
<translation>隠す 非表示 表示 項目 フィールド</translation>
</message>
<message>
<source>history journal log audit sent undo</source>
<translation>履歴 ジャーナル ログ 監査 送信済み 元に戻す</translation>
</message>
<message>
<source>history past difference differences between yesterday week since what changed</source>
<translation>履歴 過去 差分 違い 比較 昨日 週 以降 変更点</translation>
</message>
<message>
<source>how the service of {name} speaks is not known yet; `petstore-desktop doctor` or `sync` asks it first</source>
<translation>{name}のサービスの話し方はまだわかりません。先に`petstore-desktop doctor`か`sync`で問い合わせてください</translation>
</message>
<message>
<source>id</source>
<translation>ID</translation>
</message>
<message>
<source>import of bar codes</source>
<translation>バーコードのインポート</translation>
</message>
<message>
<source>import of views</source>
<translation>ビューのインポート</translation>
</message>
<message>
<source>in conflict</source>
<translation>競合</translation>
</message>
<message>
<source>in conflict with the service</source>
<translation>サービスと競合</translation>
</message>
<message>
<source>in stock</source>
<translation>在庫数</translation>
</message>
<message>
<source>in stock {count}</source>
<translation>在庫数{count}</translation>
</message>
<message>
<source>in this window</source>
<translation>このウィンドウ</translation>
</message>
<message numerus="yes">
<source>in {n} days</source>
<translation>
<numerusform>{n}日後</numerusform>
</translation>
</message>
<message>
<source>incomplete</source>
<translation>一部のみ</translation>
</message>
<message>
<source>incomplete  without a pet, a quantity or a ship date</source>
<translation>不備  ペット、数量、発送日のいずれかがない</translation>
</message>
<message>
<source>interrupted</source>
<translation>中断しました</translation>
</message>
<message>
<source>interrupted; the running program goes on with it</source>
<translation>中断しました。実行中のプログラムが続きを行います</translation>
</message>
<message>
<source>invalid choice: {value} (choose from {names})</source>
<translation>{value} は選べません（選択肢：{names}）</translation>
</message>
<message>
<source>is discarded; nothing is sent</source>
<translation>破棄しました。何も送信しません</translation>
</message>
<message>
<source>it answers with a list, not with one record</source>
<translation>応答が1件のレコードではなく一覧です</translation>
</message>
<message>
<source>it answers with a list, so it creates nothing</source>
<translation>応答が一覧なので、何も作成されません</translation>
</message>
<message>
<source>it answers with one record, not with a list</source>
<translation>応答が一覧ではなく1件のレコードです</translation>
</message>
<message>
<source>it does not lie at the same path as {what}</source>
<translation>{what}と同じパスにありません</translation>
</message>
<message>
<source>it does not take a record</source>
<translation>レコードを受け取りません</translation>
</message>
<message>
<source>it filters or sorts by a column that does not exist here: {what}</source>
<translation>フィルターまたは並べ替えの列がここにはありません：{what}</translation>
</message>
<message>
<source>it has no name</source>
<translation>名前がありません</translation>
</message>
<message>
<source>it is not a view</source>
<translation>ビューではありません</translation>
</message>
<message>
<source>it is not certain that “{what}” in its path is the record’s own id</source>
<translation>パス内の「{what}」がそのレコード自身のIDかどうか、確かではありません</translation>
</message>
<message>
<source>it is not certain which record the service would change by this id. A profile says what its ids mean</source>
<translation>このIDでサービスがどのレコードを変更するか確実ではありません。IDの意味はプロファイルで指定します</translation>
</message>
<message>
<source>it is only at another server, {what}</source>
<translation>別のサーバー（{what}）にしかありません</translation>
</message>
<message>
<source>it requires a value for the header “{what}”</source>
<translation>ヘッダー「{what}」の値が必須です</translation>
</message>
<message>
<source>it requires a value for “{what}”</source>
<translation>「{what}」の値が必須です</translation>
</message>
<message>
<source>it takes none of the fields that the program knows</source>
<translation>プログラムが扱う項目を1つも受け取りません</translation>
</message>
<message>
<source>it takes {what}, and the program sends JSON</source>
<translation>{what}を受け取りますが、プログラムが送るのはJSONです</translation>
</message>
<message>
<source>it was cancelled before the answer came.</source>
<translation>応答が届く前にキャンセルされました。</translation>
</message>
<message>
<source>it was done, and need not be done again; only this answer could not be written to standard output ({why})</source>
<translation>処理は完了しており、やり直す必要はありません。この応答だけを標準出力に書き込めませんでした（{why}）</translation>
</message>
<message>
<source>it was not sent from here</source>
<translation>ここから送信したものではありません</translation>
</message>
<message>
<source>it was refused or never sent: it cannot count as done</source>
<translation>拒否されたか、送信されていないため、届いていたものとして扱えません</translation>
</message>
<message>
<source>it would erase the values of {fields}: the service does not show them, or takes them nowhere</source>
<translation>送信すると{fields}の値が消えます：サービスがその値を表示しないか、受け付けません</translation>
</message>
<message>
<source>its answer does not look like {things}</source>
<translation>応答が{things}の形になっていません</translation>
</message>
<message>
<source>its answer looks like {things}</source>
<translation>応答が{things}の形をしています</translation>
</message>
<message>
<source>its fields look like {things}, its path does not</source>
<translation>項目は{things}に似ていますが、パスは似ていません</translation>
</message>
<message>
<source>its filter or sort cannot be read</source>
<translation>フィルターまたは並べ替えを読み取れません</translation>
</message>
<message>
<source>its list does not exist here: {what}</source>
<translation>一覧がここにはありません：{what}</translation>
</message>
<message>
<source>its name is too long</source>
<translation>名前が長すぎます</translation>
</message>
<message>
<source>key banned</source>
<translation>キー利用停止中</translation>
</message>
<message>
<source>key banned for {left}</source>
<translation>キー利用停止、あと{left}</translation>
</message>
<message>
<source>key not accepted</source>
<translation>キー拒否</translation>
</message>
<message>
<source>koi red  both words      koi|red  one of them</source>
<translation>コイ 赤  両方を含む      コイ|赤  どちらかを含む</translation>
</message>
<message>
<source>late</source>
<translation>遅延</translation>
</message>
<message>
<source>leaves {left} of {limit} today</source>
<translation>実行後の今日の残り{left}/{limit}</translation>
</message>
<message>
<source>leaves ≈ {left} of {limit} today</source>
<translation>実行後の今日の残り≈{left}/{limit}</translation>
</message>
<message>
<source>left out</source>
<translation>除外</translation>
</message>
<message>
<source>limit unknown</source>
<translation>上限不明</translation>
</message>
<message>
<source>line of {what} in the delivery</source>
<translation>入荷の{what}の行</translation>
</message>
<message>
<source>list</source>
<comment>a file of no better name</comment>
<translation>一覧</translation>
</message>
<message>
<source>live, {time}</source>
<translation>最新、{time}</translation>
</message>
<message>
<source>log network http calls api</source>
<translation>ログ ネットワーク http 呼び出し api</translation>
</message>
<message>
<source>logs errors debug file</source>
<translation>ログ エラー デバッグ ファイル</translation>
</message>
<message>
<source>look up a category</source>
<translation>カテゴリの照会</translation>
</message>
<message>
<source>look up a pet</source>
<translation>ペットの照会</translation>
</message>
<message>
<source>look up a stock entry</source>
<translation>在庫データの照会</translation>
</message>
<message>
<source>look up an order</source>
<translation>注文の照会</translation>
</message>
<message>
<source>low</source>
<translation>不足</translation>
</message>
<message>
<source>low  at or below the minimum</source>
<translation>不足  最低在庫以下</translation>
</message>
<message>
<source>low threshold limit reorder warning</source>
<translation>不足 しきい値 下限 発注点 発注 警告</translation>
</message>
<message>
<source>minute used up for {left}</source>
<translation>1分の上限に到達、あと{left}</translation>
</message>
<message>
<source>more-than-stock  the open orders of its pet are for more than is in stock</source>
<translation>在庫超過  そのペットの未完了の注文が在庫数を超えている</translation>
</message>
<message>
<source>name and category, as there is no column with ids</source>
<translation>名前とカテゴリ（IDの列がないため）</translation>
</message>
<message>
<source>name, as there is no column with ids</source>
<translation>名前（IDの列がないため）</translation>
</message>
<message>
<source>needs a key</source>
<translation>キーが必要</translation>
</message>
<message>
<source>neither its records nor the rest of the document are about pets</source>
<translation>レコードにもドキュメントの他の部分にも、ペットに関するものがありません</translation>
</message>
<message>
<source>never read</source>
<translation>未読み取り</translation>
</message>
<message>
<source>new</source>
<translation>新規</translation>
</message>
<message>
<source>new</source>
<comment>a record created here</comment>
<translation>新規</translation>
</message>
<message>
<source>new</source>
<comment>in place of an id that the service has not given yet</comment>
<translation>新規</translation>
</message>
<message>
<source>new categories</source>
<translation>カテゴリの追加</translation>
</message>
<message>
<source>new count</source>
<translation>新しい棚卸</translation>
</message>
<message>
<source>new orders</source>
<translation>注文の追加</translation>
</message>
<message>
<source>new pets</source>
<translation>ペットの追加</translation>
</message>
<message>
<source>new {record}</source>
<translation>{record}の追加</translation>
</message>
<message>
<source>next refresh at {time}</source>
<translation>次の更新は{time}</translation>
</message>
<message>
<source>next refresh at {time} ({why})</source>
<translation>次の更新は{time}（{why}）</translation>
</message>
<message>
<source>no</source>
<translation>いいえ</translation>
</message>
<message>
<source>no answer: {why}</source>
<translation>応答なし：{why}</translation>
</message>
<message>
<source>no column of the file can be told to be a field of {wanted}; nothing was saved. Name the columns in its first row, as `export` does</source>
<translation>ファイルのどの列も{wanted}の項目と判断できません。何も保存されていません。`export`のように1行目に列名を書いてください</translation>
</message>
<message>
<source>no key came on stdin; nothing was changed</source>
<translation>stdinからキーが届きませんでした。何も変更されていません</translation>
</message>
<message>
<source>no key was typed; nothing was changed</source>
<translation>キーが入力されませんでした。何も変更されていません</translation>
</message>
<message>
<source>no network from {goes} to {back}</source>
<translation>{goes}から{back}までネットワークなし</translation>
</message>
<message>
<source>no operation does it now; choose one in “Operations of this service”</source>
<translation>行える操作がなくなりました。「このサービスの操作」で選んでください</translation>
</message>
<message>
<source>no pet</source>
<translation>ペットなし</translation>
</message>
<message>
<source>no reason given</source>
<translation>理由の記載なし</translation>
</message>
<message>
<source>no record shows how this service names the category or the pet: by id, by name or otherwise</source>
<translation>このサービスがカテゴリやペットを何で示すか（ID、名前など）がわかるレコードがありません</translation>
</message>
<message>
<source>no request</source>
<translation>リクエスト不要</translation>
</message>
<message>
<source>no requests are left</source>
<translation>残りリクエストなし</translation>
</message>
<message>
<source>no stock entry</source>
<translation>在庫データなし</translation>
</message>
<message>
<source>no such category</source>
<translation>該当カテゴリなし</translation>
</message>
<message>
<source>no such pet</source>
<translation>該当ペットなし</translation>
</message>
<message>
<source>no-such-pet  its pet does not exist</source>
<translation>ペット不明  ペットが存在しない</translation>
</message>
<message>
<source>none</source>
<translation>なし</translation>
</message>
<message>
<source>none</source>
<comment>no ship date</comment>
<translation>なし</translation>
</message>
<message>
<source>none left, next try in {left}</source>
<translation>残りなし、次の試行まで{left}</translation>
</message>
<message>
<source>none today</source>
<translation>今日はなし</translation>
</message>
<message>
<source>not allowed</source>
<translation>権限なし</translation>
</message>
<message>
<source>not allowed with argument {name}</source>
<translation>{name} と同時に指定できません</translation>
</message>
<message>
<source>not available</source>
<translation>利用不可</translation>
</message>
<message>
<source>not booked</source>
<translation>反映せず</translation>
</message>
<message>
<source>not booked yet</source>
<translation>未反映</translation>
</message>
<message>
<source>not checked yet</source>
<translation>未チェック</translation>
</message>
<message>
<source>not found</source>
<translation>見つからず</translation>
</message>
<message>
<source>not known</source>
<translation>不明</translation>
</message>
<message>
<source>not now</source>
<translation>今は不可</translation>
</message>
<message>
<source>not offered</source>
<translation>提供なし</translation>
</message>
<message>
<source>not reached</source>
<translation>到達せず</translation>
</message>
<message>
<source>not read to its end</source>
<translation>最後まで読み取られていません</translation>
</message>
<message>
<source>not readable</source>
<translation>読み取り不可</translation>
</message>
<message>
<source>not said</source>
<translation>記載なし</translation>
</message>
<message>
<source>not saved</source>
<translation>未保存</translation>
</message>
<message>
<source>not secure</source>
<translation>安全でない接続</translation>
</message>
<message>
<source>not sent: this connection is read-only</source>
<translation>送信しません：この接続は読み取り専用です</translation>
</message>
<message>
<source>not there</source>
<translation>該当なし</translation>
</message>
<message>
<source>not yet</source>
<translation>未カウント</translation>
</message>
<message>
<source>note</source>
<translation>注意</translation>
</message>
<message>
<source>nothing</source>
<translation>なし</translation>
</message>
<message>
<source>nothing else in the document is about pets, their orders or their stock</source>
<translation>ドキュメントの他の部分に、ペット・注文・在庫に関するものがありません</translation>
</message>
<message>
<source>nothing here reaches your shop. {said}</source>
<translation>ここでの操作は実際のショップには届きません。{said}</translation>
</message>
<message>
<source>nothing is kept here of the {resource} of {name} yet; `petstore-desktop sync {typed}` reads them</source>
<translation>{name}の{resource}はまだここにありません。`petstore-desktop sync {typed}`で読み込みます</translation>
</message>
<message>
<source>nothing is known to be stored</source>
<translation>何も保存されていないと思われます</translation>
</message>
<message>
<source>nothing needs a decision</source>
<translation>判断が必要なものはありません</translation>
</message>
<message>
<source>nothing read yet</source>
<translation>まだ読み取りなし</translation>
</message>
<message>
<source>nothing to send</source>
<translation>送信するものはありません</translation>
</message>
<message>
<source>nothing was changed</source>
<translation>何も変更されていません</translation>
</message>
<message>
<source>nothing was changed in {file}</source>
<translation>{file}では何も変更されていません</translation>
</message>
<message>
<source>nothing was saved</source>
<translation>何も保存されていません</translation>
</message>
<message>
<source>nothing was sent</source>
<translation>何も送信していません</translation>
</message>
<message>
<source>nothing was sent, not even the key</source>
<translation>キーも含め、何も送信されていません</translation>
</message>
<message>
<source>now</source>
<comment>this moment</comment>
<translation>現在</translation>
</message>
<message>
<source>o: orders   p: pets   c: categories   s: stock</source>
<translation>o: 注文   p: ペット   c: カテゴリ   s: 在庫</translation>
</message>
<message>
<source>of an unexpected error in the program ({name})</source>
<translation>プログラムの予期しないエラー（{name}）</translation>
</message>
<message numerus="yes">
<source>of {n} changes</source>
<translation>
<numerusform>変更{n}件のうち</numerusform>
</translation>
</message>
<message>
<source>offered</source>
<translation>提供あり</translation>
</message>
<message>
<source>offered, not by your choice</source>
<translation>提供あり（選択とは別）</translation>
</message>
<message>
<source>offline since {time}</source>
<translation>{time}からオフライン</translation>
</message>
<message>
<source>oldest {days}</source>
<translation>最長{days}</translation>
</message>
<message>
<source>on a later day</source>
<translation>後日</translation>
</message>
<message>
<source>on an earlier day</source>
<translation>過去の日付</translation>
</message>
<message>
<source>one of the arguments {names} is required</source>
<translation>次の引数のいずれかが必要です：{names}</translation>
</message>
<message>
<source>one without a title</source>
<translation>タイトルなし</translation>
</message>
<message>
<source>only a part of the {resource} of {name} is kept here ({count}); nothing was saved. `petstore-desktop sync {typed}` reads the rest</source>
<translation>{name}の{resource}は一部（{count}）だけがここにあります。何も保存されていません。`petstore-desktop sync {typed}`で残りを読み込みます</translation>
</message>
<message>
<source>only on this computer</source>
<translation>このコンピューターのみ</translation>
</message>
<message>
<source>open</source>
<translation>未完了</translation>
</message>
<message numerus="yes">
<source>open orders for more than is in stock</source>
<translation>
<numerusform>在庫を超える未完了の注文</numerusform>
</translation>
</message>
<message>
<source>or</source>
<translation>または</translation>
</message>
<message>
<source>or {other}</source>
<translation>または{other}</translation>
</message>
<message>
<source>order</source>
<translation>注文</translation>
</message>
<message>
<source>order {id}</source>
<translation>注文 {id}</translation>
</message>
<message>
<source>orders</source>
<translation>注文</translation>
</message>
<message numerus="yes">
<source>orders are for pets that do not exist</source>
<translation>
<numerusform>存在しないペットの注文</numerusform>
</translation>
</message>
<message numerus="yes">
<source>orders without a pet, quantity or date</source>
<translation>
<numerusform>ペット、数量、日付のいずれかがない注文</numerusform>
</translation>
</message>
<message>
<source>other answers at its path do not look like {things}</source>
<translation>このパスの他の応答が{things}の形になっていません</translation>
</message>
<message>
<source>other answers at its path look like {things}</source>
<translation>このパスの他の応答が{things}の形をしています</translation>
</message>
<message>
<source>outbox queue unsent pending not sent</source>
<translation>送信待ち 未送信 キュー 保留</translation>
</message>
<message>
<source>overdue  the ship date is past, and the order is open</source>
<translation>期限超過  発送日を過ぎた未完了の注文</translation>
</message>
<message>
<source>page {page} of {pages}</source>
<translation>{page}/{pages}ページ</translation>
</message>
<message>
<source>pasted lines in the delivery</source>
<translation>入荷に貼り付けた行</translation>
</message>
<message>
<source>paused</source>
<translation>一時停止中</translation>
</message>
<message>
<source>paused {left}</source>
<translation>一時停止、あと{left}</translation>
</message>
<message>
<source>pdf paper printer page</source>
<translation>pdf 紙 プリンター プリント ページ</translation>
</message>
<message>
<source>pending</source>
<translation>予約中</translation>
</message>
<message>
<source>pending|sold  one of them      !sold  not this one</source>
<translation>予約中|売却済み  いずれか      !売却済み  これ以外</translation>
</message>
<message>
<source>person</source>
<translation>手動操作</translation>
</message>
<message>
<source>pet {id}</source>
<translation>ペット {id}</translation>
</message>
<message>
<source>pets</source>
<translation>ペット</translation>
</message>
<message numerus="yes">
<source>pets with the name of another one of their category</source>
<translation>
<numerusform>同じカテゴリに同名のあるペット</numerusform>
</translation>
</message>
<message numerus="yes">
<source>pets without a category</source>
<translation>
<numerusform>カテゴリのないペット</numerusform>
</translation>
</message>
<message>
<source>pin lock fix frozen panes left</source>
<translation>ピン ロック 固定 ウィンドウ枠 左</translation>
</message>
<message>
<source>plain http to {host} would show the key to others; use https (http is only for this computer)</source>
<translation>{host}への暗号化されないhttpではキーが他人に見えます。httpsを使ってください（httpはこのコンピューターだけで使えます）</translation>
</message>
<message>
<source>plan not known</source>
<translation>プラン不明</translation>
</message>
<message>
<source>plan {plan}</source>
<translation>プラン：{plan}</translation>
</message>
<message>
<source>problem</source>
<translation>問題</translation>
</message>
<message>
<source>profile</source>
<comment>the name of a file</comment>
<translation>プロファイル</translation>
</message>
<message>
<source>quota limit limits rate calls budget minute day</source>
<translation>クォータ 上限 制限 レート 回数 予算 分 日</translation>
</message>
<message>
<source>read from pets</source>
<translation>ペットから読み取り</translation>
</message>
<message>
<source>read-only</source>
<translation>読み取り専用</translation>
</message>
<message>
<source>reading was stopped</source>
<translation>読み取りを中止</translation>
</message>
<message>
<source>record {id} was made with other values than were sent: {values}.</source>
<translation>レコード {id} は、送信したものとは違う値で作成されました：{values}。</translation>
</message>
<message>
<source>records of this kind have no field “{field}”. Discard it, and enter it again</source>
<translation>この種類のレコードに項目「{field}」はありません。破棄して入力し直してください</translation>
</message>
<message>
<source>records that were deleted here are shown again: {met}. The service kept them, or somebody made them again.</source>
<translation>ここで削除したレコードが再び表示されています: {met}。サービスが残していたか、誰かが作り直しました。</translation>
</message>
<message>
<source>refresh on screen</source>
<translation>表示中の更新</translation>
</message>
<message>
<source>refused</source>
<translation>拒否</translation>
</message>
<message>
<source>refused by the service</source>
<translation>サービスが拒否</translation>
</message>
<message>
<source>rehearsed</source>
<translation>リハーサル</translation>
</message>
<message>
<source>reload update sync synchronise fetch load</source>
<translation>再読み込み リロード 最新 同期 取得 読み込み</translation>
</message>
<message>
<source>remove</source>
<translation>消去 取り除く 消す</translation>
</message>
<message>
<source>remove reset show all</source>
<translation>解除 リセット すべて表示 消す</translation>
</message>
<message>
<source>removed</source>
<translation>廃止</translation>
</message>
<message>
<source>renamed to {name}</source>
<translation>名前を{name}に変更</translation>
</message>
<message>
<source>renaming of the view {name}</source>
<translation>ビュー「{name}」の名前の変更</translation>
</message>
<message>
<source>repeat same value below</source>
<translation>繰り返し 同じ値 下 フィル</translation>
</message>
<message>
<source>repeat same value selection bulk</source>
<translation>繰り返し 同じ値 選択範囲 一括 フィル</translation>
</message>
<message>
<source>restore reset default</source>
<translation>復元 リセット 標準 既定 初期</translation>
</message>
<message>
<source>row {row}: {why}</source>
<translation>{row}行目：{why}</translation>
</message>
<message>
<source>same</source>
<translation>変更なし</translation>
</message>
<message>
<source>same-name  another pet of its category has the same name</source>
<translation>名前重複  同じカテゴリに同じ名前のペットがある</translation>
</message>
<message>
<source>saved filter list</source>
<translation>保存済み フィルター 一覧</translation>
</message>
<message>
<source>saved on this computer, not sent</source>
<translation>このコンピューターに保存、未送信</translation>
</message>
<message>
<source>search find</source>
<translation>検索 探す</translation>
</message>
<message>
<source>see `petstore-desktop decide {name}`, or the window, Activity &gt; Needs attention</source>
<translation>`petstore-desktop decide {name}` またはウィンドウの「アクティビティ &gt; 要対応」を確認してください</translation>
</message>
<message>
<source>see all categories</source>
<translation>全カテゴリの表示</translation>
</message>
<message>
<source>see all orders</source>
<translation>全注文の表示</translation>
</message>
<message>
<source>see all pets</source>
<translation>全ペットの表示</translation>
</message>
<message>
<source>see the stock</source>
<translation>在庫の表示</translation>
</message>
<message>
<source>select whole columns</source>
<translation>列全体 選択</translation>
</message>
<message>
<source>select whole rows</source>
<translation>行全体 選択</translation>
</message>
<message>
<source>sent</source>
<translation>送信済み</translation>
</message>
<message>
<source>sent elsewhere</source>
<translation>リダイレクト</translation>
</message>
<message>
<source>sent, but no answer came</source>
<translation>送信したが応答なし</translation>
</message>
<message>
<source>sent, then undone</source>
<translation>送信後に元に戻した</translation>
</message>
<message>
<source>server address url api key log in login add account</source>
<translation>サーバー アドレス url api キー ログイン サインイン 追加 アカウント</translation>
</message>
<message>
<source>server address url api key password token certificate tls openapi colour name read-only forget options setup</source>
<translation>サーバー アドレス url api キー パスワード トークン 証明書 tls openapi 色 名前 読み取り専用 登録解除 オプション 設定</translation>
</message>
<message>
<source>service busy for {left}</source>
<translation>サービス混雑、あと{left}</translation>
</message>
<message>
<source>set aside hold pending order phone call customer</source>
<translation>取り置き 取置 予約中 予約 注文 電話 お客様 顧客</translation>
</message>
<message>
<source>settings options setup configuration theme dark light mode night colours appearance language text font size data folder database files backup</source>
<translation>設定 オプション 構成 テーマ ダーク ライト モード 夜 色 外観 表示 言語 文字 フォント サイズ データ フォルダー データベース ファイル バックアップ</translation>
</message>
<message>
<source>shortcuts keyboard manual documentation legend icons</source>
<translation>ショートカット キーボード マニュアル 説明書 凡例 アイコン</translation>
</message>
<message>
<source>side pane panel sidebar</source>
<translation>サイド ペイン パネル サイドバー</translation>
</message>
<message>
<source>sold</source>
<translation>売却済み</translation>
</message>
<message numerus="yes">
<source>sold pets still have stock</source>
<translation>
<numerusform>在庫が残っている売却済みペット</numerusform>
</translation>
</message>
<message>
<source>sold-with-stock  the pet is sold, and has stock</source>
<translation>売却済み在庫あり  売却済みのペットに在庫がある</translation>
</message>
<message>
<source>somebody else changes a record every {seconds} s</source>
<translation>{seconds}秒ごとに他の人がレコードを変更</translation>
</message>
<message>
<source>starts at label {place}</source>
<translation>ラベル {place} から開始</translation>
</message>
<message>
<source>status</source>
<translation>ステータス 状態</translation>
</message>
<message>
<source>status fulfil deliver done</source>
<translation>ステータス 状態 発送 配達 納品 済み</translation>
</message>
<message>
<source>status {status}</source>
<translation>ステータス{status}</translation>
</message>
<message>
<source>stock</source>
<translation>在庫</translation>
</message>
<message numerus="yes">
<source>stock entries below zero</source>
<translation>
<numerusform>マイナスの在庫データ</numerusform>
</translation>
</message>
<message numerus="yes">
<source>stock entries without a pet</source>
<translation>
<numerusform>ペットのない在庫データ</numerusform>
</translation>
</message>
<message>
<source>stock of pet {id}</source>
<translation>ペット {id} の在庫</translation>
</message>
<message numerus="yes">
<source>stock of {n} pets changed</source>
<translation>
<numerusform>ペット{n}件の在庫変更</numerusform>
</translation>
</message>
<message numerus="yes">
<source>stock of {n} pets changed by {pieces}</source>
<translation>
<numerusform>ペット{n}件の在庫変更（{pieces}）</numerusform>
</translation>
</message>
<message>
<source>stock set to {n}</source>
<translation>在庫数を{n}に設定</translation>
</message>
<message>
<source>stock-without-pet  its pet does not exist</source>
<translation>ペットなし在庫  在庫のペットが存在しない</translation>
</message>
<message>
<source>stopped</source>
<translation>停止</translation>
</message>
<message>
<source>stopped by the proxy</source>
<translation>プロキシが遮断</translation>
</message>
<message>
<source>support bug report version system</source>
<translation>サポート 不具合 バグ 報告 バージョン システム</translation>
</message>
<message>
<source>take back revert</source>
<translation>取り消し 取り消す 戻す アンドゥ</translation>
</message>
<message>
<source>test after a pause</source>
<translation>一時停止後のテスト</translation>
</message>
<message>
<source>test doctor diagnose network internet proxy server offline trouble</source>
<translation>テスト 診断 点検 ネットワーク インターネット プロキシ サーバー オフライン トラブル</translation>
</message>
<message>
<source>testing once</source>
<translation>テスト中</translation>
</message>
<message>
<source>that is set on this computer</source>
<translation>このコンピューターの設定</translation>
</message>
<message>
<source>the CA file {path} cannot be read ({why}); nothing was changed</source>
<translation>CAファイル{path}を読み込めません（{why}）。何も変更されていません</translation>
</message>
<message>
<source>the CA file {path} is larger than {megabytes} MB; nothing was changed. Give only the certificates of the authority that the service needs</source>
<translation>CAファイル{path}は{megabytes} MBを超えています。何も変更されていません。サービスに必要な認証局の証明書だけを指定してください</translation>
</message>
<message>
<source>the OpenAPI document cannot be used ({code}, {why})</source>
<translation>OpenAPIドキュメントを使用できません（{code}、{why}）</translation>
</message>
<message>
<source>the address holds a user name or password; give the key with --key-stdin instead</source>
<translation>アドレスにユーザー名かパスワードが含まれています。代わりに--key-stdinでキーを渡してください</translation>
</message>
<message>
<source>the answer holds no list of records.</source>
<translation>応答にレコードの一覧がありません。</translation>
</message>
<message>
<source>the answer holds two lists, and does not say which one is meant.</source>
<translation>応答に一覧が2つあり、どちらを使うか示されていません。</translation>
</message>
<message>
<source>the answer is larger than {mb} MB; reading was stopped there.</source>
<translation>応答が{mb} MBを超えたため、読み取りを中止しました。</translation>
</message>
<message>
<source>the answer is nested deeper than anything that can be read.</source>
<translation>応答の入れ子が深すぎて読み取れません。</translation>
</message>
<message>
<source>the answer is not JSON, as data must be ({type}).</source>
<translation>応答がデータに必要なJSONではありません（{type}）。</translation>
</message>
<message>
<source>the answer is not in UTF-8, the only encoding of JSON.</source>
<translation>応答がUTF-8ではありません。JSONの文字コードはUTF-8だけです。</translation>
</message>
<message>
<source>the answer is not one of this service.</source>
<translation>このサービスの応答ではありません。</translation>
</message>
<message>
<source>the answer is not valid HTTP: it broke off, or its head is too large.</source>
<translation>応答が正しいHTTPではありません。途中で切れたか、ヘッダーが大きすぎます。</translation>
</message>
<message>
<source>the answer is packed in a way that cannot be unpacked ({encoding}).</source>
<translation>応答の圧縮形式を展開できません（{encoding}）。</translation>
</message>
<message>
<source>the answer stops before its end.</source>
<translation>応答が途中で終わっています。</translation>
</message>
<message>
<source>the answer was not complete in the time that a request has.</source>
<translation>制限時間内に応答が完了しませんでした。</translation>
</message>
<message>
<source>the categories</source>
<translation>カテゴリ</translation>
</message>
<message>
<source>the changes could not be saved; nothing was sent</source>
<translation>変更を保存できませんでした。何も送信されていません</translation>
</message>
<message>
<source>the characters of the file can be read in several ways; nothing was saved. Say how with --encoding, such as --encoding windows-1252, or save the file in UTF-8</source>
<translation>ファイルの文字は複数の読み方ができます。何も保存していません。--encoding windows-1252 のように --encoding でエンコードを指定するか、ファイルを UTF-8 で保存してください</translation>
</message>
<message>
<source>the connection broke before the answer came.</source>
<translation>応答が届く前に接続が切れました。</translation>
</message>
<message>
<source>the dates can be read in two ways, 03/04 is 3 April or 4 March; nothing was saved. Say how with --dates dmy, mdy or ymd</source>
<translation>日付が2通りに読めます。03/04は4月3日か3月4日です。何も保存されていません。--dates dmy、mdy、ymdで指定してください</translation>
</message>
<message>
<source>the day is used up</source>
<translation>1日のリクエストを使い切り</translation>
</message>
<message>
<source>the demo shop did not start: {why}</source>
<translation>デモショップが起動しませんでした：{why}</translation>
</message>
<message>
<source>the demo shop is in its window alone, and no connection; `petstore-desktop demo-shop` runs one for commands, and says the address and the key for `petstore-desktop connect`</source>
<translation>デモショップはそのウィンドウの中だけにあり、接続ではありません。`petstore-desktop demo-shop` がコマンド用に起動し、`petstore-desktop connect` に使うアドレスとキーを示します</translation>
</message>
<message>
<source>the document {path} cannot be read</source>
<translation>ドキュメント{path}を読み込めません</translation>
</message>
<message>
<source>the file has wrong rows ({count}), and one that books in or out, or places orders, is imported whole or not at all; nothing was saved</source>
<translation>{count}行に誤りがあります。入出庫や新しい注文のファイルは全部取り込むか、まったく取り込まないかのどちらかです。何も保存されていません</translation>
</message>
<message>
<source>the file holds {found}, not {wanted}; nothing was saved</source>
<translation>ファイルの内容は{wanted}ではなく{found}です。何も保存されていません</translation>
</message>
<message>
<source>the file of your changes is damaged: {path}; nothing was changed. `petstore-desktop sync`, or the window, sets it aside and lists what it still tells</source>
<translation>変更のファイルが破損しています：{path}。何も変更していません。`petstore-desktop sync`またはウィンドウが、このファイルを別に保管し、まだ読める内容を一覧にします</translation>
</message>
<message>
<source>the file of your changes was damaged and is kept as {file}; what was not sent yet ({count}) is listed in {list}, and is not sent by itself: make it again where it is missing</source>
<translation>変更のファイルが破損していたため、{file}として保管しています。未送信の変更（{count}件）は{list}にあり、自動では送信されません。反映されていないものは、もう一度変更してください</translation>
</message>
<message>
<source>the file {file} cannot be read; nothing was saved</source>
<translation>ファイル{file}を読み取れません。何も保存されていません</translation>
</message>
<message>
<source>the following arguments are required: {names}</source>
<translation>次の引数が必要です：{names}</translation>
</message>
<message>
<source>the key contains characters that cannot be sent; nothing was changed</source>
<translation>キーに送信できない文字が含まれています。何も変更されていません</translation>
</message>
<message>
<source>the key is banned</source>
<translation>キーが利用停止中</translation>
</message>
<message>
<source>the key is longer than 16,384 characters, which no service takes; nothing was changed</source>
<translation>キーが16,384文字を超えています。この長さを受け付けるサービスはありません。何も変更されていません</translation>
</message>
<message>
<source>the key may not do this ({message})</source>
<translation>このキーでは許可されていません（{message}）</translation>
</message>
<message>
<source>the lines that are here</source>
<translation>ここにある行</translation>
</message>
<message>
<source>the list does not end: the service announced {total} records, and sent {met}. Reading stopped; the rows that came stay.</source>
<translation>一覧が終わりません：サービスの通知は{total}件ですが、{met}件届きました。読み取りを中止しました。届いた行は残ります。</translation>
</message>
<message>
<source>the list does not end: {met} records came. Reading stopped; these rows stay.</source>
<translation>一覧が終わりません：レコード{met}件が届きました。読み取りを中止しました。これらの行は残ります。</translation>
</message>
<message>
<source>the list may be {what} as well. Choose the list first: File &gt; Operations, or `connect --profile`</source>
<translation>一覧は{what}の可能性もあります。先に一覧を選んでください：[ファイル] &gt; [操作]、または`connect --profile`</translation>
</message>
<message>
<source>the minute is used up</source>
<translation>1分のリクエストを使い切り</translation>
</message>
<message>
<source>the name of one of its fields is a guess. Choose the name under File &gt; Operations &gt; Fields</source>
<translation>項目の名前の1つが推測です。「ファイル &gt; サービスの操作 &gt; 項目」で名前を選んでください</translation>
</message>
<message>
<source>the next refresh waits</source>
<translation>次の更新は待機中</translation>
</message>
<message>
<source>the next refresh waits ({why})</source>
<translation>次の更新は待機中（{why}）</translation>
</message>
<message>
<source>the numbers can be read in two ways, 1.200 is twelve hundred or 1 and a fraction; nothing was saved. Say how with --numbers point or comma</source>
<translation>数値が2通りに読めます。1.200は千二百か、1と小数です。何も保存されていません。--numbers pointかcommaで指定してください</translation>
</message>
<message>
<source>the old value is not known</source>
<translation>変更前の値が不明です</translation>
</message>
<message>
<source>the orders</source>
<translation>注文</translation>
</message>
<message>
<source>the pets</source>
<translation>ペット</translation>
</message>
<message>
<source>the pet’s id</source>
<translation>ペットのID</translation>
</message>
<message>
<source>the pet’s name, as there is no column with ids</source>
<translation>ペットの名前（IDの列がないため）</translation>
</message>
<message>
<source>the plan {plan} has its own limits; --per-minute and --per-day go with --plan enterprise, or with a connection whose plan is not known</source>
<translation>プラン{plan}には独自の上限があります。--per-minuteと--per-dayは--plan enterprise、またはプラン不明の接続で使います</translation>
</message>
<message>
<source>the program is already running on {path}; use its window, or close it first</source>
<translation>プログラムはすでに{path}で実行中です。そのウィンドウを使うか、先に終了してください</translation>
</message>
<message>
<source>the program that runs on this data folder has not opened {name}; open it there (Shop &gt; Switch to another shop), or close the program. Nothing was saved</source>
<translation>このデータフォルダーで実行中のプログラムは{name}を開いていません。そこで開くか（ショップ &gt; 別のショップに切り替え）、プログラムを終了してください。何も保存されていません</translation>
</message>
<message>
<source>the program that runs on this data folder is of another version; close it first. Nothing was saved</source>
<translation>このデータフォルダーで実行中のプログラムは別のバージョンです。先に終了してください。何も保存されていません</translation>
</message>
<message>
<source>the quantity would be larger than a service can hold</source>
<translation>数量が、サービスで扱える大きさを超えます</translation>
</message>
<message>
<source>the record in the answer cannot be read: {why}.</source>
<translation>応答のレコードを読み取れません：{why}。</translation>
</message>
<message>
<source>the record in the service’s answer cannot be read: {why}</source>
<translation>サービスの応答のレコードを読み取れません：{why}</translation>
</message>
<message>
<source>the record is different</source>
<translation>レコードが異なります</translation>
</message>
<message>
<source>the record is gone from the service</source>
<translation>レコードがサービスからなくなりました</translation>
</message>
<message>
<source>the record is gone, or the service has removed this</source>
<translation>レコードがなくなったか、サービスがこれを廃止しました</translation>
</message>
<message>
<source>the record that it belongs to was never created</source>
<translation>関連するレコードが作成されていません</translation>
</message>
<message>
<source>the request</source>
<translation>リクエスト</translation>
</message>
<message>
<source>the rest of today’s requests is kept for your changes</source>
<translation>今日の残りリクエストは変更用に確保</translation>
</message>
<message>
<source>the service</source>
<translation>サービス</translation>
</message>
<message>
<source>the service answered with an error instead of data.</source>
<translation>サービスがデータではなくエラーを返しました。</translation>
</message>
<message>
<source>the service answered with an error, and nothing was changed</source>
<translation>サービスがエラーを返しました。何も変更されていません</translation>
</message>
<message>
<source>the service answered with record {id}, which may have been changed instead. Look at both records</source>
<translation>サービスは別のレコード {id} を返しました。そちらが代わりに変更された可能性があります。両方のレコードを確認してください</translation>
</message>
<message>
<source>the service answered with the old value</source>
<translation>サービスが変更前の値を返しました</translation>
</message>
<message>
<source>the service answered {status}: {message}</source>
<translation>サービスの応答：{status} {message}</translation>
</message>
<message>
<source>the service asked to wait</source>
<translation>サービスからの待機の指示</translation>
</message>
<message>
<source>the service asks to wait ({message}); nothing more is sent until then</source>
<translation>サービスが待つよう求めています（{message}）。それまで何も送信しません</translation>
</message>
<message>
<source>the service cannot be reached</source>
<translation>サービスに接続できません</translation>
</message>
<message>
<source>the service changed something else as well: {theirs}</source>
<translation>サービスはほかの項目も変更しました: {theirs}</translation>
</message>
<message>
<source>the service did not say that it was done, and nothing was changed</source>
<translation>サービスから完了の通知がありませんでした。何も変更されていません</translation>
</message>
<message>
<source>the service did only a part of it. Still as before: {theirs}</source>
<translation>サービスは一部だけを実行しました。以前のまま: {theirs}</translation>
</message>
<message>
<source>the service did something else than was sent with an earlier change of this kind. Decide about that one, or send this again</source>
<translation>この種類の以前の変更で、サービスが送信内容とは違うことをしました。その変更に対応するか、この変更を再送信してください</translation>
</message>
<message>
<source>the service does not accept the key</source>
<translation>サービスがキーを受け付けません</translation>
</message>
<message>
<source>the service does not show this record, so it cannot be changed safely</source>
<translation>サービスがこのレコードを表示しないため、安全に変更できません</translation>
</message>
<message>
<source>the service emptied what was not to be changed: {theirs}</source>
<translation>サービスが、変更しないはずの値を空にしました：{theirs}</translation>
</message>
<message>
<source>the service has no such record</source>
<translation>サービスにこのレコードがありません</translation>
</message>
<message>
<source>the service has removed this</source>
<translation>サービスがこれを廃止しました</translation>
</message>
<message>
<source>the service has something else than was sent: {theirs}</source>
<translation>サービスの値が、送信したものと違います：{theirs}</translation>
</message>
<message>
<source>the service redirected it to {target}, which the program does not follow</source>
<translation>サービスが{target}にリダイレクトしましたが、プログラムは従いません</translation>
</message>
<message>
<source>the service redirects in a circle; check the address, or ask its provider</source>
<translation>サービスのリダイレクトが循環しています。アドレスを確認するか、提供元に問い合わせてください</translation>
</message>
<message>
<source>the service redirects to {target}; the program does not follow, and neither request nor key went there. If it has moved, give its new address with `connect --url`</source>
<translation>サービスは{target}へリダイレクトしています。プログラムは従わず、リクエストもキーもそこへ送っていません。移転した場合は`connect --url`で新しいアドレスを指定してください</translation>
</message>
<message>
<source>the service redirects, but does not say where to; ask its provider for the new address, and give it with `connect --url`</source>
<translation>サービスがリダイレクトしていますが、行き先を示していません。提供元に新しいアドレスを問い合わせ、`connect --url`で指定してください</translation>
</message>
<message>
<source>the service rejected the key ({message}); nothing was lost. Give another with `connect --key-stdin`</source>
<translation>サービスがキーを拒否しました（{message}）。何も失われていません。`connect --key-stdin`で別のキーを渡してください</translation>
</message>
<message>
<source>the service rejected the key in PETSTORE_API_KEY ({message}); nothing was lost. Put another one in that variable, or unset it to use the key in the keyring</source>
<translation>サービスがPETSTORE_API_KEYのキーを拒否しました（{message}）。何も失われていません。この変数に別のキーを設定するか、削除してキーリングのキーを使ってください</translation>
</message>
<message>
<source>the service rejected the key {key} ({message}); nothing was lost. Give another with `connect --further-key`</source>
<translation>サービスがキー{key}を拒否しました（{message}）。何も失われていません。`connect --further-key`で別のキーを渡してください</translation>
</message>
<message>
<source>the service says that the record is gone, and still shows it</source>
<translation>サービスはレコードがもうないと答えましたが、まだ表示しています</translation>
</message>
<message>
<source>the service sent an empty answer instead of data.</source>
<translation>サービスがデータではなく空の応答を返しました。</translation>
</message>
<message>
<source>the service showed another record than the one asked for</source>
<translation>サービスが、照会したものとは別のレコードを返しました</translation>
</message>
<message>
<source>the service stopped answering before the answer was complete.</source>
<translation>応答が完了する前に、サービスからの送信が止まりました。</translation>
</message>
<message>
<source>the service takes no requests just now</source>
<translation>サービスが一時的に受付停止</translation>
</message>
<message>
<source>the service wants another key too: {key}; give it with `connect --further-key`</source>
<translation>サービスにはもう1つのキー{key}が必要です。`connect --further-key`で渡してください</translation>
</message>
<message>
<source>the service wants the whole record, and it has not been read yet</source>
<translation>サービスにはレコード全体が必要ですが、まだ読み取っていません</translation>
</message>
<message>
<source>the service’s answer broke off</source>
<translation>サービスの応答が途中で切れました</translation>
</message>
<message>
<source>the service’s answer could not be read</source>
<translation>サービスの応答を読み取れませんでした</translation>
</message>
<message>
<source>the service’s answer could not be read, and nothing was changed</source>
<translation>サービスの応答を読み取れませんでした。何も変更されていません</translation>
</message>
<message>
<source>the service’s answer held no list</source>
<translation>サービスの応答に一覧がありませんでした</translation>
</message>
<message>
<source>the service’s answer was empty</source>
<translation>サービスの応答が空でした</translation>
</message>
<message>
<source>the service’s answer was too large</source>
<translation>サービスの応答が大きすぎました</translation>
</message>
<message>
<source>the stock</source>
<translation>在庫</translation>
</message>
<message>
<source>the system’s</source>
<translation>システムのもの</translation>
</message>
<message>
<source>the variable PETSTORE_API_KEY</source>
<translation>変数PETSTORE_API_KEY</translation>
</message>
<message>
<source>there are changes for the service at {address}, which this connection used before ({count}); they are kept in {path} and are sent when the connection has that address again</source>
<translation>この接続が以前使っていた{address}のサービス向けの変更が{count}件あります。{path}に保管され、接続がそのアドレスに戻ると送信されます</translation>
</message>
<message>
<source>there is no connection called {name}; `petstore-desktop connections` lists them</source>
<translation>{name}という接続はありません。`petstore-desktop connections`で一覧を表示します</translation>
</message>
<message>
<source>there is no connection called {name}; did you mean {alike}? `petstore-desktop connections` lists them</source>
<translation>{name}という接続はありません。{alike}のことですか？ `petstore-desktop connections`で一覧を表示します</translation>
</message>
<message>
<source>there is no file {file}; nothing was saved</source>
<translation>ファイル{file}はありません。何も保存されませんでした</translation>
</message>
<message>
<source>there is no file {path}; nothing was changed. Give a file with certificates in PEM form</source>
<translation>ファイル{path}がありません。何も変更されていません。PEM形式の証明書ファイルを指定してください</translation>
</message>
<message>
<source>there is no key for {name}, so nothing was sent</source>
<translation>{name}のキーがないため、何も送信されていません</translation>
</message>
<message>
<source>there is no key for {name}; give it with `petstore-desktop connect {typed} --url {url} --key-stdin`</source>
<translation>{name}のキーがありません。`petstore-desktop connect {typed} --url {url} --key-stdin`で渡してください</translation>
</message>
<message>
<source>there is no key that works</source>
<translation>使えるキーなし</translation>
</message>
<message>
<source>there is no network, or the service is away</source>
<translation>ネットワークまたはサービスに接続不可</translation>
</message>
<message>
<source>there is no pet {pet}; did you mean {could}?</source>
<translation>ペット{pet}はありません。{could}のことですか？</translation>
</message>
<message>
<source>there is no pet {pet}; give its id, or its name as it is written in the list</source>
<translation>ペット{pet}はありません。IDか、一覧にあるとおりの名前を指定してください</translation>
</message>
<message>
<source>there is no profile {path}, and no such file; those that come with the program are called {names}</source>
<translation>{path}というプロファイルもファイルもありません。付属のものは{names}です</translation>
</message>
<message>
<source>there is nothing to decide about it</source>
<translation>対応が必要なことはありません</translation>
</message>
<message>
<source>there was no look at the record shortly before it, because answers or the limit of requests took too long, and a change by somebody else could have been overwritten. Sent again, it rests on what was last seen</source>
<translation>応答またはリクエストの上限に時間がかかり、直前にレコードを読み取れませんでした。他の人の変更を上書きするおそれがありました。再送信すると、最後に読み取った内容をもとに変更します</translation>
</message>
<message numerus="yes">
<source>these {n} filters</source>
<translation>
<numerusform>これら{n}個のフィルター</numerusform>
</translation>
</message>
<message>
<source>they were entered before the program was started; change or remove a line itself</source>
<translation>プログラムの起動前に入力されたものです。行そのものを変更または削除してください</translation>
</message>
<message>
<source>this address belongs to another server than the service's own; nothing was sent there</source>
<translation>このアドレスはサービスとは別のサーバーのものです。そこへは何も送信されていません</translation>
</message>
<message>
<source>this answer could not be written to standard output ({why})</source>
<translation>この応答を標準出力に書き込めませんでした（{why}）</translation>
</message>
<message>
<source>this cannot be understood ({code})</source>
<translation>これを解釈できません（{code}）</translation>
</message>
<message>
<source>this computer has no keyring that can store a key; nothing was stored, neither key nor connection. Connect without --key-stdin, and give the key in the variable PETSTORE_API_KEY or in the window</source>
<translation>このコンピューターにはキーを保存できるキーリングがありません。キーも接続も、何も保存されていません。--key-stdinなしで接続し、キーは変数PETSTORE_API_KEYかウィンドウで渡してください</translation>
</message>
<message>
<source>this service does not bring back what was deleted</source>
<translation>このサービスは、削除したものを復元できません</translation>
</message>
<message>
<source>this service does not delete what was created</source>
<translation>このサービスは、作成したものを削除できません</translation>
</message>
<message>
<source>this service does not offer it</source>
<translation>このサービスは提供していません</translation>
</message>
<message>
<source>this service does not offer that</source>
<translation>このサービスはそれを提供していません</translation>
</message>
<message>
<source>this service no longer takes such changes</source>
<translation>このサービスは、この変更を受け付けなくなりました</translation>
</message>
<message>
<source>timed out</source>
<translation>タイムアウト</translation>
</message>
<message>
<source>times in {zone}</source>
<translation>時刻は{zone}</translation>
</message>
<message>
<source>to ship on {day}</source>
<translation>{day}発送</translation>
</message>
<message>
<source>today</source>
<translation>今日</translation>
</message>
<message>
<source>today</source>
<comment>a ship date</comment>
<translation>今日</translation>
</message>
<message>
<source>today   yesterday   tomorrow   this week   last week   next week   this month   last month</source>
<translation>今日   昨日   明日   今週   先週   来週   今月   先月</translation>
</message>
<message>
<source>today included</source>
<translation>今日を含む</translation>
</message>
<message>
<source>tomorrow</source>
<comment>a ship date</comment>
<translation>明日</translation>
</message>
<message>
<source>too many requests</source>
<translation>リクエスト過多</translation>
</message>
<message>
<source>took too long</source>
<translation>時間超過</translation>
</message>
<message>
<source>unchanged</source>
<translation>変更なし</translation>
</message>
<message>
<source>unclear, read only</source>
<translation>不明確、読み取り専用</translation>
</message>
<message>
<source>unconfirmed</source>
<translation>未確認</translation>
</message>
<message>
<source>undone</source>
<translation>元に戻した</translation>
</message>
<message>
<source>unfreeze unpin unlock frozen panes</source>
<translation>固定解除 ピン ロック解除 ウィンドウ枠</translation>
</message>
<message>
<source>unknown</source>
<translation>不明</translation>
</message>
<message>
<source>unknown type</source>
<translation>不明な種類</translation>
</message>
<message>
<source>unrecognized arguments: {words}</source>
<translation>不明な引数：{words}</translation>
</message>
<message>
<source>unsent  saved on this computer, not sent</source>
<translation>未送信  このコンピューターに保存、未送信</translation>
</message>
<message>
<source>until {time}</source>
<translation>{time}まで</translation>
</message>
<message numerus="yes">
<source>up to {n} requests</source>
<translation>
<numerusform>リクエスト最大{n}件</numerusform>
</translation>
</message>
<message>
<source>used</source>
<comment>of a place on a sheet of labels</comment>
<translation>使用済み</translation>
</message>
<message>
<source>various</source>
<comment>several different changes</comment>
<translation>複数の内容</translation>
</message>
<message>
<source>verify fresh current now</source>
<translation>検証 最新 現在 今</translation>
</message>
<message>
<source>version licence license information</source>
<translation>バージョン ライセンス 使用許諾 情報</translation>
</message>
<message>
<source>versions past earlier audit</source>
<translation>バージョン 過去 以前 監査 記録</translation>
</message>
<message>
<source>views</source>
<comment>the name of a file</comment>
<translation>ビュー</translation>
</message>
<message>
<source>waiting</source>
<translation>送信待ち</translation>
</message>
<message>
<source>waits</source>
<translation>待機</translation>
</message>
<message>
<source>waits ({why})</source>
<translation>待機中（{why}）</translation>
</message>
<message>
<source>waits for its turn</source>
<translation>は順番を待っています</translation>
</message>
<message>
<source>waits for its turn, until {time}</source>
<translation>は{time}まで順番を待っています</translation>
</message>
<message>
<source>waits for the minute’s requests</source>
<translation>は次の1分間のリクエストを待っています</translation>
</message>
<message>
<source>waits for the minute’s requests, until {time}</source>
<translation>は{time}まで、次の1分間のリクエストを待っています</translation>
</message>
<message>
<source>waits for the next day’s requests</source>
<translation>は翌日のリクエストを待っています</translation>
</message>
<message>
<source>waits for the next day’s requests, until {time}</source>
<translation>は{time}まで、翌日のリクエストを待っています</translation>
</message>
<message>
<source>waits until sending resumes</source>
<translation>送信が再開されるまで待機</translation>
</message>
<message>
<source>waits until the service can be reached</source>
<translation>サービスに接続できるまで待機</translation>
</message>
<message>
<source>weekly monthly week month pdf paper printer figures summary statistics</source>
<translation>週次 月次 週 月 週報 月報 pdf 紙 印刷 プリンター 数字 集計 統計 報告</translation>
</message>
<message>
<source>what is kept on this computer is unchanged</source>
<translation>このコンピューターにあるものは変わっていません</translation>
</message>
<message>
<source>what was sent is not what the service shows now, of records: {met}. It said that it did it and did not, or somebody changed them since.</source>
<translation>送信した内容と、サービスが今示している内容が異なるレコード: {met}件。実行したと応答しながら実行しなかったか、その後だれかが変更しました。</translation>
</message>
<message>
<source>width order default restore</source>
<translation>幅 順序 標準 既定 復元</translation>
</message>
<message>
<source>width resize</source>
<translation>幅 サイズ 自動調整</translation>
</message>
<message>
<source>with other statuses</source>
<translation>その他のステータス</translation>
</message>
<message>
<source>without a name</source>
<translation>名前なし</translation>
</message>
<message>
<source>without a status</source>
<translation>ステータスなし</translation>
</message>
<message>
<source>without-category  it has none, or one that does not exist</source>
<translation>カテゴリなし  カテゴリがない、または存在しない</translation>
</message>
<message>
<source>wrong</source>
<translation>エラー</translation>
</message>
<message>
<source>yes</source>
<translation>はい</translation>
</message>
<message>
<source>yesterday</source>
<translation>昨日</translation>
</message>
<message>
<source>yesterday {time}</source>
<translation>昨日 {time}</translation>
</message>
<message>
<source>your changes go first</source>
<translation>変更の送信を優先</translation>
</message>
<message>
<source>{action}: {job}</source>
<translation>{action}：{job}</translation>
</message>
<message>
<source>{action}: {why}</source>
<translation>{action}：{why}</translation>
</message>
<message numerus="yes">
<source>{added}, {n} cannot be used</source>
<translation>
<numerusform>{added}、{n}個は使えません</numerusform>
</translation>
</message>
<message>
<source>{address} is not an http(s) address; give the service's base address, such as https://shop.example/v1</source>
<translation>{address}はhttp(s)のアドレスではありません。https://shop.example/v1 のようなサービスのベースアドレスを指定してください</translation>
</message>
<message>
<source>{alike}, but only by its fields: it is not used unless you choose it.</source>
<translation>{alike}。ただし項目が似ているだけなので、選択しない限り使いません。</translation>
</message>
<message>
<source>{answer}, then {why}</source>
<translation>{answer}、その後{why}</translation>
</message>
<message>
<source>{banned} Your changes are saved on this computer.</source>
<translation>{banned}変更はこのコンピューターに保存されています。</translation>
</message>
<message>
<source>{base} at the shop</source>
<translation>ショップでは{base}</translation>
</message>
<message>
<source>{before} → {after}</source>
<translation>{before} → {after}</translation>
</message>
<message numerus="yes">
<source>{bound} of {n} operations can be used.</source>
<translation>
<numerusform>{n}個の操作のうち{bound}個が使えます。</numerusform>
</translation>
</message>
<message>
<source>{category} {n} of {total}</source>
<translation>{category} {n}/{total}</translation>
</message>
<message>
<source>{category}, {id}</source>
<translation>{category}、{id}</translation>
</message>
<message numerus="yes">
<source>{changes} are not sent yet and will never be.</source>
<translation>
<numerusform>{changes}は未送信で、今後も送信されません。</numerusform>
</translation>
</message>
<message>
<source>{changes} discarded</source>
<translation>{changes}を破棄しました</translation>
</message>
<message>
<source>{changes} not sent yet are counted in.</source>
<translation>未送信の{changes}を含みます。</translation>
</message>
<message>
<source>{changes} sent</source>
<translation>{changes}を送信済み</translation>
</message>
<message>
<source>{changes} to send</source>
<translation>{changes}を送信予定</translation>
</message>
<message numerus="yes">
<source>{changes} were not sent.</source>
<translation>
<numerusform>{changes}は送信されませんでした。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{change} and {n} more changes</source>
<translation>
<numerusform>{change}、ほか変更{n}件</numerusform>
</translation>
</message>
<message>
<source>{change} not sent</source>
<translation>{change}は未送信</translation>
</message>
<message>
<source>{change} since, which stays</source>
<translation>その後{change}（そのまま残ります）</translation>
</message>
<message>
<source>{chip} of {record}</source>
<translation>{record}の{chip}</translation>
</message>
<message>
<source>{code} is forgotten</source>
<translation>{code}の登録を解除しました</translation>
</message>
<message>
<source>{code} is {pet} from now on</source>
<translation>{code}を{pet}に登録しました</translation>
</message>
<message>
<source>{code}: {pets}</source>
<translation>{code}：{pets}</translation>
</message>
<message>
<source>{column} cannot be edited here.</source>
<translation>{column}はここでは編集できません。</translation>
</message>
<message>
<source>{column}: sum {sum}</source>
<translation>{column}：合計{sum}</translation>
</message>
<message>
<source>{column}: sum {sum}, {least} to {most}</source>
<translation>{column}：合計{sum}、{least}～{most}</translation>
</message>
<message numerus="yes">
<source>{column}: {n} numbers, sum {sum}, least {least}, most {most}</source>
<translation>
<numerusform>{column}：数値{n}個、合計{sum}、最小{least}、最大{most}</numerusform>
</translation>
</message>
<message>
<source>{column}: {why}</source>
<translation>{column}：{why}</translation>
</message>
<message numerus="yes">
<source>{counts} and {n} others</source>
<translation>
<numerusform>{counts}、ほか{n}種類</numerusform>
</translation>
</message>
<message>
<source>{count} in stock since {time}, {before} before.</source>
<translation>{time}から在庫数{count}、それ以前は{before}。</translation>
</message>
<message>
<source>{count} in stock since {time}.</source>
<translation>{time}から在庫数{count}。</translation>
</message>
<message>
<source>{count} of {total} changes</source>
<comment>the last line of a file</comment>
<translation>変更{total}件中{count}件</translation>
</message>
<message>
<source>{count} pets could be meant by {pet}: {could}; give the id with a # before it</source>
<translation>{pet}に当てはまるペットが{count}件あります：{could}。IDの前に#を付けて指定してください</translation>
</message>
<message>
<source>{count} {status}</source>
<translation>{status}{count}件</translation>
</message>
<message>
<source>{count} {words}</source>
<translation>{words}：{count}件</translation>
</message>
<message>
<source>{count}, to ship on {day}</source>
<translation>{count}点、{day}発送</translation>
</message>
<message>
<source>{days} late</source>
<translation>{days}遅延</translation>
</message>
<message>
<source>{days} {hours}</source>
<translation>{days}{hours}</translation>
</message>
<message>
<source>{day}   &gt;{day}   {day}..{last}</source>
<translation>{day}   &gt;{day}   {day}..{last}</translation>
</message>
<message numerus="yes">
<source>{day} was {n} days ago.</source>
<translation>
<numerusform>{day}は{n}日前です。</numerusform>
</translation>
</message>
<message>
<source>{day} {time}</source>
<translation>{day} {time}</translation>
</message>
<message>
<source>{day}, {distance}</source>
<translation>{day}、{distance}</translation>
</message>
<message>
<source>{day}, {time}</source>
<translation>{day} {time}</translation>
</message>
<message>
<source>{day}: no orders</source>
<translation>{day}：注文なし</translation>
</message>
<message>
<source>{day}: {counts}</source>
<translation>{day}：{counts}</translation>
</message>
<message numerus="yes">
<source>{done} of {n} labels</source>
<comment>painted</comment>
<translation>
<numerusform>ラベル{done}/{n}枚</numerusform>
</translation>
</message>
<message>
<source>{done} of {total}</source>
<translation>{done}/{total}</translation>
</message>
<message>
<source>{done}. Nothing more of this kind is sent until you send this again</source>
<translation>{done}。これを再送信するまで、この種類の変更は送信しません</translation>
</message>
<message>
<source>{endpoint} (careful: {why})</source>
<translation>{endpoint}（注意：{why}）</translation>
</message>
<message>
<source>{endpoint} looks like {things}</source>
<translation>{endpoint}は{things}のようです</translation>
</message>
<message>
<source>{endpoint} was not taken: {why}.</source>
<translation>{endpoint}は採用しませんでした：{why}。</translation>
</message>
<message>
<source>{field} is {value}</source>
<translation>{field}は{value}</translation>
</message>
<message>
<source>{field} of {record}</source>
<translation>{record}の{field}</translation>
</message>
<message>
<source>{field} of {things} is read as {name}, and written as {written}.</source>
<translation>{things}の{field}は{name}として読み取り、{written}として書き込みます。</translation>
</message>
<message>
<source>{field} of {things} is read from {name}, a guess by its name; choose it in File &gt; Operations to change it.</source>
<translation>{things}の{field}は、名前からの推測で{name}から読み取っています。変更するには「ファイル &gt; サービスの操作」で選んでください。</translation>
</message>
<message>
<source>{field} {change}</source>
<comment>a field and by how much it changes</comment>
<translation>{field} {change}</translation>
</message>
<message>
<source>{field}: {value}</source>
<translation>{field}：{value}</translation>
</message>
<message>
<source>{file} (of the service at {address})</source>
<translation>{file}（{address}のサービス）</translation>
</message>
<message>
<source>{file} cannot be read or written.</source>
<translation>{file}を読み書きできません。</translation>
</message>
<message>
<source>{file} could not be upgraded for this version of the program.</source>
<translation>{file}を、このバージョンのプログラム用に更新できませんでした。</translation>
</message>
<message>
<source>{file} is damaged.</source>
<translation>{file}は破損しています。</translation>
</message>
<message>
<source>{file} is in use by another program.</source>
<translation>{file}は別のプログラムが使用中です。</translation>
</message>
<message>
<source>{file} is not a file: it is a folder, a pipe, a device, or a link that leads nowhere.</source>
<translation>{file}はファイルではなく、フォルダー、パイプ、デバイス、またはリンク先のないリンクです。</translation>
</message>
<message>
<source>{file} is not there any more.</source>
<translation>{file}はもうありません。</translation>
</message>
<message>
<source>{file} is write-protected.</source>
<translation>{file}は書き込み禁止です。</translation>
</message>
<message>
<source>{file} was written by a later version of this program.</source>
<translation>{file}は、このプログラムの新しいバージョンで書き込まれています。</translation>
</message>
<message>
<source>{filters}: clear all filters.</source>
<translation>{filters}：すべてのフィルターをクリアします。</translation>
</message>
<message>
<source>{filter}: clear this filter.</source>
<translation>{filter}：このフィルターをクリアします。</translation>
</message>
<message>
<source>{first} – {last}</source>
<comment>from one day to another</comment>
<translation>{first} ～ {last}</translation>
</message>
<message>
<source>{found} of {all}</source>
<translation>{all}中{found}件</translation>
</message>
<message>
<source>{group}, collapsed</source>
<translation>{group}、折りたたみ</translation>
</message>
<message>
<source>{group}, expanded</source>
<translation>{group}、展開</translation>
</message>
<message>
<source>{head}, {note}</source>
<translation>{head}、{note}</translation>
</message>
<message>
<source>{head}: {names}</source>
<translation>{head}：{names}</translation>
</message>
<message numerus="yes">
<source>{head}: {n}</source>
<translation>
<numerusform>{head}：{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{head}: {n}, {names}</source>
<translation>
<numerusform>{head}：{n}件、{names}</numerusform>
</translation>
</message>
<message>
<source>{host} answers without encryption at this port.</source>
<translation>{host}はこのポートで暗号化せずに応答しています。</translation>
</message>
<message>
<source>{host} broke off before the connection was secure.</source>
<translation>安全な接続が確立する前に{host}が切断しました。</translation>
</message>
<message>
<source>{host} cannot be looked up: this computer seems to be offline.</source>
<translation>{host}を検索できません。このコンピューターはオフラインのようです。</translation>
</message>
<message>
<source>{host} cannot be reached ({why}); nothing was sent. It is tried again by itself</source>
<translation>{host}に接続できません（{why}）。何も送信されていません。自動的に再試行します</translation>
</message>
<message>
<source>{host} cannot be reached.</source>
<translation>{host}に接続できません。</translation>
</message>
<message>
<source>{host} cannot be reached: nothing answers there. It may be down, or the port wrong.</source>
<translation>{host}に接続できません。応答がありません。停止しているか、ポートが違う可能性があります。</translation>
</message>
<message>
<source>{host} did not answer in time.</source>
<translation>{host}は時間内に応答しませんでした。</translation>
</message>
<message>
<source>{host} offers only outdated encryption, which is no longer safe.</source>
<translation>{host}が対応しているのは、もう安全ではない古い暗号化だけです。</translation>
</message>
<message>
<source>{hours} {minutes}</source>
<translation>{hours}{minutes}</translation>
</message>
<message>
<source>{job}: {done}</source>
<translation>{job}：{done}</translation>
</message>
<message>
<source>{key} (header {name})</source>
<translation>{key}（ヘッダー{name}）</translation>
</message>
<message>
<source>{key} (in the address, as {name})</source>
<translation>{key}（アドレス内の{name}）</translation>
</message>
<message>
<source>{kind}: {sum}</source>
<comment>the title of a list of changes</comment>
<translation>{kind}：{sum}</translation>
</message>
<message>
<source>{known} {cost}</source>
<translation>{known}{cost}</translation>
</message>
<message>
<source>{labels}, {sheets}</source>
<translation>{labels}、{sheets}</translation>
</message>
<message>
<source>{label}: {text}</source>
<translation>{label}：{text}</translation>
</message>
<message>
<source>{left} left</source>
<translation>残り{left}</translation>
</message>
<message>
<source>{left} left, {ends}</source>
<translation>残り{left}、{ends}</translation>
</message>
<message>
<source>{left} of {limit} are left, for Refresh and Check live.</source>
<translation>「更新」と「最新の値を確認」のために、{limit}件中{left}件が残っています。</translation>
</message>
<message>
<source>{left} of {limit} left</source>
<translation>残り{left}/{limit}</translation>
</message>
<message>
<source>{length} ahead of this computer’s</source>
<translation>このコンピューターより{length}進んでいます</translation>
</message>
<message>
<source>{length} behind this computer’s</source>
<translation>このコンピューターより{length}遅れています</translation>
</message>
<message>
<source>{length} mm</source>
<translation>{length} mm</translation>
</message>
<message>
<source>{limits}, {scene}.</source>
<translation>{limits}、{scene}。</translation>
</message>
<message>
<source>{limits}.</source>
<translation>{limits}。</translation>
</message>
<message>
<source>{line} · the service counts {counts} {age}</source>
<translation>{line} · サービスの集計は{counts}（{age}）</translation>
</message>
<message>
<source>{list}, {field}: not found in the service’s records.</source>
<translation>{list}の{field}は、サービスのレコードに見つかりません。</translation>
</message>
<message>
<source>{list}, {field}: read from {name}, which is a guess. To change it here, choose the name.</source>
<translation>{list}の{field}は、推測で{name}から読み取っています。ここで変更できるようにするには、名前を選んでください。</translation>
</message>
<message>
<source>{list}, {field}: read from {name}.</source>
<translation>{list}の{field}は、{name}から読み取っています。</translation>
</message>
<message>
<source>{list}: the program cannot tell which record a change would reach, because {name} can mean two things. A profile settles it.</source>
<translation>{list}: {name}には2つの意味があり得るため、変更がどのレコードに届くかプログラムには判断できません。プロファイルで決まります。</translation>
</message>
<message>
<source>{low} of {total}</source>
<translation>{low}/{total}</translation>
</message>
<message>
<source>{more}: {title}</source>
<translation>{title}：{more}</translation>
</message>
<message>
<source>{names} and {last}</source>
<translation>{names}、{last}</translation>
</message>
<message numerus="yes">
<source>{names} and {n} more</source>
<translation>
<numerusform>{names}、ほか{n}件</numerusform>
</translation>
</message>
<message>
<source>{names} and {n} more categories</source>
<translation>{names}、ほか{n}カテゴリ</translation>
</message>
<message>
<source>{names}: {said}</source>
<translation>{names}：{said}</translation>
</message>
<message numerus="yes">
<source>{names}; and {n} more</source>
<translation>
<numerusform>{names}、ほか{n}件</numerusform>
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
<translation>{name}はすでにあります。別の名前にしてください。</translation>
</message>
<message>
<source>{name} cannot be kept with this value of {what}; nothing was changed</source>
<translation>{what}がこの値では、{name}を保存できません。何も変更されていません</translation>
</message>
<message>
<source>{name} has another value for {parameter}, and what is kept of it belongs to that; make a connection of another name</source>
<translation>{name}は{parameter}に別の値を使っており、保管されている内容はその値のものです。別の名前の接続を作成してください</translation>
</message>
<message>
<source>{name} has changes that are not sent yet ({count}); nothing was removed. --yes writes them to a file and forgets {name}</source>
<translation>{name}の変更{count}件がまだ送信されていません。何も削除されていません。--yesを付けると、変更をファイルに書き出して{name}の登録を解除します</translation>
</message>
<message>
<source>{name} has changes that wait for {address} ({count}); let them be sent, or forget {name}, before its address is changed</source>
<translation>{name}の変更{count}件が{address}への送信を待っています。送信を終えるか{name}の登録を解除してから、アドレスを変更してください</translation>
</message>
<message>
<source>{name} has no list of {resource}: its service does not offer one</source>
<translation>{name}には{resource}の一覧がありません：サービスが提供していません</translation>
</message>
<message>
<source>{name} is no status of an order. There are: {known}.</source>
<translation>{name}は注文の状態ではありません。使えるもの：{known}。</translation>
</message>
<message>
<source>{name} is not available, pending or sold.</source>
<translation>{name}は、販売中・予約中・売却済みのいずれでもありません。</translation>
</message>
<message>
<source>{name} is read-only; nothing was saved. `connect --read-write` ends that</source>
<translation>{name}は読み取り専用です。何も保存されていません。`connect --read-write`で解除します</translation>
</message>
<message>
<source>{name} was closed in the running program before anything was saved; say it again</source>
<translation>何も保存されないうちに、実行中のプログラムで{name}が閉じられました。もう一度実行してください</translation>
</message>
<message>
<source>{name}, view of {list}</source>
<translation>{name}、{list}のビュー</translation>
</message>
<message>
<source>{name}: in stock {mine} here, {theirs} elsewhere</source>
<translation>{name}：在庫数は自分の値{mine}、相手の値{theirs}</translation>
</message>
<message>
<source>{name}: renamed, because its name was taken</source>
<translation>{name}：同じ名前があったため、名前を変更しました</translation>
</message>
<message>
<source>{name}: {after}, {who}</source>
<translation>{name}：{after}、{who}</translation>
</message>
<message>
<source>{name}: {before} → {after}, {who}</source>
<translation>{name}：{before} → {after}、{who}</translation>
</message>
<message>
<source>{name}: {lasts}, {gone}</source>
<translation>{name}：{lasts}、{gone}</translation>
</message>
<message>
<source>{name}: {low} of {total} low</source>
<translation>{name}：{total}件中{low}件が不足</translation>
</message>
<message>
<source>{name}: {mine} here, {theirs} elsewhere</source>
<translation>{name}：自分の値{mine}、相手の値{theirs}</translation>
</message>
<message>
<source>{now} ({change})</source>
<comment>pieces now, and how many more than before</comment>
<translation>{now} ({change})</translation>
</message>
<message>
<source>{number} s</source>
<comment>seconds</comment>
<translation>{number}秒</translation>
</message>
<message>
<source>{number} typed</source>
<translation>入力{number}</translation>
</message>
<message numerus="yes">
<source>{n} already have this value.</source>
<translation>
<numerusform>{n}件はすでにこの値です。</numerusform>
</translation>
</message>
<message>
<source>{n} are called {name}: a column with ids is needed.</source>
<translation>{name}という名前のものが{n}件あります。IDの列が必要です。</translation>
</message>
<message numerus="yes">
<source>{n} bar codes added</source>
<translation>
<numerusform>バーコード{n}件を追加しました</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} bar codes written to {file}</source>
<translation>
<numerusform>バーコード{n}件を{file}に書き出しました</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} being sent</source>
<translation>
<numerusform>送信中{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} cannot be redone: {why}</source>
<translation>
<numerusform>{n}件はやり直せません：{why}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} cannot be saved: see the note.</source>
<translation>
<numerusform>{n}件は保存できません。備考を参照してください。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} cannot be undone: {why}</source>
<translation>
<numerusform>{n}件は元に戻せません：{why}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} categories</source>
<translation>
<numerusform>カテゴリ{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} categories do not exist: {names}.</source>
<translation>
<numerusform>存在しないカテゴリが{n}件あります：{names}。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} categories will be added: {names}.</source>
<translation>
<numerusform>カテゴリ{n}件を追加します：{names}。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} cells have values that cannot be saved.</source>
<translation>
<numerusform>保存できない値のあるセルが{n}個あります。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changed meanwhile and are left out: see the note.</source>
<translation>
<numerusform>この間に変更された{n}件を除外します。備考を参照してください。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes</source>
<translation>
<numerusform>変更{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes are in {file}</source>
<translation>
<numerusform>変更{n}件を{file}に書き出しました</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes are saved on this computer and stay paused until you resume them.</source>
<translation>
<numerusform>変更{n}件はこのコンピューターに保存されており、再開するまで一時停止のままです。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes are saved on this computer.</source>
<translation>
<numerusform>変更{n}件がこのコンピューターに保存されています。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes need attention</source>
<translation>
<numerusform>要対応の変更が{n}件あります</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes of a rehearsal wait to be looked at.</source>
<translation>
<numerusform>リハーサルの変更{n}件が確認を待っています。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes saved on this computer and not sent; they go out with the next `petstore-desktop sync`, import or booking, or while the window is open</source>
<translation>
<numerusform>変更{n}件がこのコンピューターに保存され、未送信です。次回の`petstore-desktop sync`、インポート、入出庫のとき、またはウィンドウを開いている間に送信されます</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes that were refused or in conflict there are not kept.</source>
<translation>
<numerusform>リハーサルで拒否された、または競合した変更{n}件は残しません。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes wait, all saved on this computer.</source>
<translation>
<numerusform>変更{n}件が待機中です。このコンピューターに保存されています。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes were made for the service at {address}, which this connection used before.</source>
<translation>
<numerusform>変更{n}件は、この接続が以前使っていた{address}のサービスに対するものです。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} codes are unknown.</source>
<translation>
<numerusform>未登録のコードが{n}件あります。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} codes have no room on their label.</source>
<translation>
<numerusform>ラベルに収まらないコードが{n}件あります。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} columns beyond the last are left out.</source>
<translation>
<numerusform>最終列を超える{n}列を除外します。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} come back with new ids</source>
<translation>
<numerusform>{n}件は新しいIDで復元します</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} come back with new ids and without their stock</source>
<translation>
<numerusform>{n}件は新しいIDで、在庫なしで復元します</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} complete</source>
<translation>
<numerusform>完了{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} completed</source>
<comment>after a number of orders placed</comment>
<translation>
<numerusform>完了{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} conflicts</source>
<translation>
<numerusform>競合{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} counted pets have no stock entry, and are not booked.</source>
<translation>
<numerusform>カウントしたペット{n}件には在庫データがないため、反映しません。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} days</source>
<translation>
<numerusform>{n}日</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} days ago</source>
<translation>
<numerusform>{n}日前</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} days late</source>
<translation>
<numerusform>{n}日遅れ</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} decided</source>
<translation>
<numerusform>{n}件決定しました</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} decided: yours are discarded</source>
<translation>
<numerusform>{n}件決定：自分の変更を破棄します</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} decided: yours are sent again</source>
<translation>
<numerusform>{n}件決定：自分の変更を再送信します</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} differ.</source>
<translation>
<numerusform>差異{n}件。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} discarded</source>
<translation>
<numerusform>破棄{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} due today</source>
<translation>
<numerusform>今日発送{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} elsewhere</source>
<translation>
<numerusform>外部{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} empty cells are left out.</source>
<translation>
<numerusform>空のセル{n}個を除外します。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} filters</source>
<translation>
<numerusform>フィルター{n}個</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} follow when the service has answered</source>
<translation>
<numerusform>{n}件はサービスの応答後に続きます</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} further changes are saved with them: deletions, and stock of new pets.</source>
<translation>
<numerusform>さらに{n}件の変更（削除、または新規ペットの在庫）を一緒に保存します。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} gone</source>
<comment>records that are no longer there</comment>
<translation>
<numerusform>なくなったレコード{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} gone in {days}, {left} in stock</source>
<translation>
<numerusform>{days}で{n}点減少、在庫数{left}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} h</source>
<translation>
<numerusform>{n}時間</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} have open orders, which stay as they are.</source>
<translation>
<numerusform>{n}件に未完了の注文がありますが、注文は変わりません。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} here</source>
<translation>
<numerusform>このプログラム{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} here and elsewhere</source>
<translation>
<numerusform>このプログラムと外部{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} ids have signs that Code 128 does not have: no code there. Choose QR.</source>
<translation>
<numerusform>Code 128で表せない文字を含むIDが{n}件あり、そのラベルにはコードが入りません。QRを選んでください。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} in conflict</source>
<translation>
<numerusform>競合{n}件</numerusform>
</translation>
</message>
<message>
<source>{n} in stock</source>
<translation>在庫数{n}</translation>
</message>
<message numerus="yes">
<source>{n} labels are in {file}</source>
<translation>
<numerusform>ラベル{n}枚を{file}に保存しました</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} labels for {pets}</source>
<translation>
<numerusform>{pets}のラベル{n}枚</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} labels here, {after} after it.</source>
<comment>on a sheet</comment>
<translation>
<numerusform>このシートにラベル{n}枚、以降に{after}枚。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} labels here.</source>
<comment>on a sheet</comment>
<translation>
<numerusform>このシートにラベル{n}枚。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} labels sent to the printer</source>
<translation>
<numerusform>ラベル{n}枚をプリンターに送りました</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} lines are not ticked, because their stock may have changed before they were counted: recount, or decide.</source>
<translation>
<numerusform>{n}行は、カウントの前に在庫が変わった可能性があるため、チェックしていません。数え直すか、判断してください。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} min</source>
<translation>
<numerusform>{n}分</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} more</source>
<translation>
<numerusform>ほか{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} more requests may be sent this minute.</source>
<translation>
<numerusform>この1分間に、あと{n}件のリクエストを送信できます。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} more requests may be sent today.</source>
<translation>
<numerusform>今日、あと{n}件のリクエストを送信できます。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} ms</source>
<translation>
<numerusform>{n}ミリ秒</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} names are too long, and are cut. Choose larger labels.</source>
<translation>
<numerusform>長すぎて途中で切れる名前が{n}件あります。大きいラベルを選んでください。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} need attention</source>
<translation>
<numerusform>要対応{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} new orders</source>
<translation>
<numerusform>新しい注文{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} new pets</source>
<translation>
<numerusform>新規ペット{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} new pets have a stock. You can book it once the service has created them.</source>
<translation>
<numerusform>新規ペット{n}件に在庫数があります。サービスで作成された後に、在庫に反映できます。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} of them cannot be read; the list has what is left of them.</source>
<translation>
<numerusform>このうち{n}件を読み取れません。一覧には残っている部分が表示されます。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} of them undone</source>
<translation>
<numerusform>うち元に戻したもの{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} of {total} are left out.</source>
<translation>
<numerusform>{total}件中{n}件を除外します。</numerusform>
</translation>
</message>
<message>
<source>{n} of {total} counted</source>
<translation>{total}件中{n}件カウント済み</translation>
</message>
<message>
<source>{n} of {total} counted.</source>
<translation>{total}件中{n}件カウント済み。</translation>
</message>
<message numerus="yes">
<source>{n} of {total} selected</source>
<translation>
<numerusform>{total}行中{n}行を選択</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} on order.</source>
<translation>
<numerusform>注文中{n}点。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} open</source>
<translation>
<numerusform>未完了{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} open orders</source>
<translation>
<numerusform>未完了の注文{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} open orders have no date.</source>
<translation>
<numerusform>発送日のない未完了の注文が{n}件あります。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} orders</source>
<translation>
<numerusform>注文{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} orders are overdue</source>
<translation>
<numerusform>期限超過の注文{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} orders completed</source>
<translation>
<numerusform>注文の完了{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} orders placed</source>
<translation>
<numerusform>注文の受付{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} other categories</source>
<translation>
<numerusform>その他の{n}カテゴリ</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} other changes</source>
<translation>
<numerusform>その他の変更{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} other shops need attention</source>
<translation>
<numerusform>他の{n}ショップが要対応</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} others</source>
<translation>
<numerusform>その他{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} others: {counted} of {total}</source>
<translation>
<numerusform>ほか{n}件：{total}件中{counted}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} overdue</source>
<translation>
<numerusform>期限超過{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pages, {size}.</source>
<translation>
<numerusform>{n}ページ、{size}。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pasted lines were left out. The first is: {line}</source>
<translation>
<numerusform>貼り付けた{n}行を除外しました。最初の行：{line}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pets</source>
<translation>
<numerusform>ペット{n}件</numerusform>
</translation>
</message>
<message>
<source>{n} pets are called {name}: enter the id.</source>
<translation>{name}という名前のペットが{n}件あります。IDを入力してください。</translation>
</message>
<message numerus="yes">
<source>{n} pets are low</source>
<translation>
<numerusform>在庫不足のペット{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pets are not counted.</source>
<translation>
<numerusform>ペット{n}件をカウントしていません。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pets have no id yet, so their labels have no code. Print them once the pets are sent.</source>
<translation>
<numerusform>まだIDのないペットが{n}件あり、そのラベルにはコードが入りません。ペットが送信された後に印刷してください。</numerusform>
</translation>
</message>
<message>
<source>{n} pets have the code {code}</source>
<translation>コード{code}のペットが{n}件あります</translation>
</message>
<message numerus="yes">
<source>{n} pets sold</source>
<translation>
<numerusform>ペットの売却{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pieces</source>
<translation>
<numerusform>{n}点</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} problems found.</source>
<translation>
<numerusform>問題が{n}件見つかりました。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} records are set aside and not counted.</source>
<translation>
<numerusform>{n}件のレコードを別保管しており、数に含めていません。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} records have a slash in their ids: they are shown, and cannot be changed here.</source>
<translation>
<numerusform>IDにスラッシュを含むレコードが{n}件あります。表示はできますが、ここでは変更できません。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} records may be gone</source>
<translation>
<numerusform>削除された可能性のあるレコード{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} records set aside</source>
<translation>
<numerusform>別保管のレコード{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} refused</source>
<translation>
<numerusform>拒否{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} remarks on the document</source>
<translation>
<numerusform>ドキュメントに関する注意{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests</source>
<translation>
<numerusform>リクエスト{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests a day</source>
<translation>
<numerusform>リクエスト 1日に{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests a minute</source>
<translation>
<numerusform>リクエスト 1分に{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests a minute, {day} a day</source>
<translation>
<numerusform>リクエスト 1分に{n}件、1日に{day}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests are left of this minute’s.</source>
<translation>
<numerusform>この1分間の残りリクエストは{n}件です。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests are left of today’s.</source>
<translation>
<numerusform>今日の残りリクエストは{n}件です。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests are on the clipboard, without the key</source>
<translation>
<numerusform>リクエスト{n}件を、キーを除いてクリップボードにコピーしました</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests.</source>
<translation>
<numerusform>リクエスト{n}件。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows are in {file}</source>
<translation>
<numerusform>{n}行を{file}に保存しました</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows are read.</source>
<translation>
<numerusform>これまでに{n}行を読み込みました。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows are the same only by changes that the service has not taken</source>
<translation>
<numerusform>{n}行が変更なしになったのは、サービスがまだ受け付けていない変更があるためです</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows beyond the end are left out.</source>
<translation>
<numerusform>最終行を超える{n}行を除外します。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows copied</source>
<translation>
<numerusform>{n}行をコピーしました</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows copied with Id, Name and To order.</source>
<translation>
<numerusform>{n}行のID、名前、発注数をコピーしました。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows hold changes that are not sent yet.</source>
<translation>
<numerusform>未送信の変更を含む行が{n}行あります。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows were imported before, and are not added again.</source>
<translation>
<numerusform>{n}行はインポート済みのため、もう一度追加されません。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows were imported before, and are not made again without --again</source>
<translation>
<numerusform>{n}行はインポート済みのため、--again がなければもう一度追加されません</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows were imported before, and make new records.</source>
<translation>
<numerusform>{n}行はインポート済みですが、新しいレコードを作成します。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} saved views cannot be used by this version; they are kept</source>
<translation>
<numerusform>保存したビュー{n}個はこのバージョンでは使えませんが、残してあります</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} scans</source>
<translation>
<numerusform>スキャン{n}回</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} sent</source>
<translation>
<numerusform>送信済み{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} sheets</source>
<comment>of labels</comment>
<translation>
<numerusform>シート{n}枚</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} so far</source>
<translation>
<numerusform>現在{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} stock entries</source>
<translation>
<numerusform>在庫データ{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} to come</source>
<translation>
<numerusform>今後{n}件</numerusform>
</translation>
</message>
<message>
<source>{n} to go</source>
<translation>残り{n}件</translation>
</message>
<message numerus="yes">
<source>{n} today</source>
<translation>
<numerusform>今日{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unconfirmed</source>
<translation>
<numerusform>未確認{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} undone</source>
<translation>
<numerusform>元に戻した変更{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unknown codes.</source>
<translation>
<numerusform>未登録のコード{n}件。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unsent</source>
<translation>
<numerusform>未送信{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unsent changes are left out: the copy shows what the service last said.</source>
<translation>
<numerusform>未送信の変更{n}件を除外します。リハーサルでは、サービスから最後に読み取った内容を表示します。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unsent elsewhere</source>
<translation>
<numerusform>他のショップに未送信{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} values are others now than you saw: they are left out.</source>
<translation>
<numerusform>リハーサルで見たときと値が変わっている{n}件を除外します。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} views added</source>
<translation>
<numerusform>ビュー{n}個を追加しました</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} views written to {file}</source>
<translation>
<numerusform>ビュー{n}個を{file}に書き出しました</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} wait for earlier changes that need your decision</source>
<translation>
<numerusform>{n}件が、判断の必要な前の変更を待っています</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} waiting</source>
<translation>
<numerusform>送信待ち{n}件</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} ways to use this service end soon, first: {what}, on {day}, {left}</source>
<translation>
<numerusform>このサービスの操作{n}個がまもなく廃止されます。最初は{what}、{day}（{left}）</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} wrong rows copied</source>
<translation>
<numerusform>誤りのある{n}行をコピーしました</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} {pet}, to ship on {day}.</source>
<translation>
<numerusform>{pet}を{n}点、{day}に発送します。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} {pet}, to ship today.</source>
<translation>
<numerusform>{pet}を{n}点、今日発送します。</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} {pet}, without a ship date.</source>
<translation>
<numerusform>{pet}を{n}点、発送日は未定です。</numerusform>
</translation>
</message>
<message>
<source>{n} {status}</source>
<translation>{status}{n}件</translation>
</message>
<message>
<source>{n}+</source>
<comment>at least so many</comment>
<translation>{n}+</translation>
</message>
<message>
<source>{old} becomes {new}</source>
<translation>{old}から{new}へ</translation>
</message>
<message>
<source>{page}: manual of Pet Store Desktop</source>
<translation>{page}：Pet Store Desktopのマニュアル</translation>
</message>
<message>
<source>{paper}, {columns} × {rows}, {width} × {height} mm</source>
<translation>{paper}、{columns} × {rows}、{width} × {height} mm</translation>
</message>
<message>
<source>{parts}.</source>
<comment>a sentence from parts with commas between them</comment>
<translation>{parts}。</translation>
</message>
<message>
<source>{path} (of the service at {address})</source>
<translation>{path}（{address}のサービス）</translation>
</message>
<message>
<source>{path} cannot be opened or made; see that the folder is there and that you may read and write in it, or choose another one with --data-dir</source>
<translation>{path}を開くことも作成することもできません。フォルダーがあり、読み書きできることを確認するか、--data-dirで別のフォルダーを指定してください</translation>
</message>
<message>
<source>{path} holds no certificate; nothing was changed. Give the certificates of an authority in PEM form, with BEGIN CERTIFICATE in it</source>
<translation>{path}に証明書がありません。何も変更されていません。BEGIN CERTIFICATEを含むPEM形式の認証局の証明書を指定してください</translation>
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
<translation>{pet}：{n}</translation>
</message>
<message numerus="yes">
<source>{pieces} in {n} lines</source>
<translation>
<numerusform>{n}行、計{pieces}</numerusform>
</translation>
</message>
<message>
<source>{plan}: {limits}</source>
<translation>{plan}：{limits}</translation>
</message>
<message>
<source>{reading} · {more}</source>
<translation>{reading} · {more}</translation>
</message>
<message>
<source>{reason} Not saved. In its cell, correct it, or press Esc to discard.</source>
<translation>{reason}保存されていません。セルで修正するか、Escキーで破棄してください。</translation>
</message>
<message numerus="yes">
<source>{records} still name the old id</source>
<translation>
<numerusform>{records}は古いIDを指したままです</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{record} and {n} more changes</source>
<translation>
<numerusform>{record}、ほか変更{n}件</numerusform>
</translation>
</message>
<message>
<source>{record} has changed at the service; the new values are shown</source>
<translation>{record}はサービスで変更されていました。新しい値を表示しています</translation>
</message>
<message>
<source>{record} is no longer there</source>
<translation>{record}はもうありません</translation>
</message>
<message>
<source>{record} is unchanged, live at {time}</source>
<translation>{record}に変更はありません（{time}に最新の値を確認）</translation>
</message>
<message>
<source>{record} was changed elsewhere; nothing was overwritten</source>
<translation>{record}は外部で変更されました。上書きはしていません</translation>
</message>
<message>
<source>{record} was deleted here ({time})</source>
<translation>{record}はここで削除されました（{time}）</translation>
</message>
<message>
<source>{record} was removed elsewhere (noticed {time})</source>
<translation>{record}は外部で削除されました（{time}に確認）</translation>
</message>
<message>
<source>{record}, {value}, {who}, {when}</source>
<translation>{record}、{value}、{who}、{when}</translation>
</message>
<message>
<source>{record}: cannot be ticked</source>
<translation>{record}：チェックできません</translation>
</message>
<message>
<source>{record}: left out</source>
<translation>{record}：除外</translation>
</message>
<message>
<source>{record}: the list of the service shows only a part of all, and not this one</source>
<translation>{record}：サービスの一覧は全体の一部だけで、これは含まれていません</translation>
</message>
<message>
<source>{record}: ticked</source>
<translation>{record}：チェック済み</translation>
</message>
<message>
<source>{record}: whether it was done is not known</source>
<translation>{record}：実行されたかどうか不明です</translation>
</message>
<message>
<source>{record}: {change}</source>
<translation>{record}：{change}</translation>
</message>
<message>
<source>{record}: {things}</source>
<translation>{record}：{things}</translation>
</message>
<message>
<source>{requests}, until {time}</source>
<translation>{requests}、{time}まで</translation>
</message>
<message>
<source>{rows} are in {file}</source>
<translation>{rows}を{file}に書き出しました</translation>
</message>
<message>
<source>{rows}, looked up one by one</source>
<translation>{rows}、1件ずつ照会</translation>
</message>
<message>
<source>{rows}, reading: {progress}</source>
<translation>{rows}、読み取り中：{progress}</translation>
</message>
<message>
<source>{rows}, {age}</source>
<translation>{rows}、{age}</translation>
</message>
<message>
<source>{said}. {note}</source>
<translation>{said}。{note}</translation>
</message>
<message>
<source>{said}; the service names {other} instead.</source>
<translation>{said}。サービスは代わりに{other}を示しています。</translation>
</message>
<message>
<source>{said}; then {other} is used instead.</source>
<translation>{said}。以後は{other}を使います。</translation>
</message>
<message>
<source>{said}; {other} is used instead.</source>
<translation>{said}。代わりに{other}を使います。</translation>
</message>
<message>
<source>{sentence} {next}</source>
<comment>two sentences</comment>
<translation>{sentence}{next}</translation>
</message>
<message>
<source>{sentence} {source}</source>
<translation>{sentence} {source}</translation>
</message>
<message>
<source>{sentence}.</source>
<translation>{sentence}。</translation>
</message>
<message>
<source>{sent} of {n} sent</source>
<translation>{n}件中{sent}件送信済み</translation>
</message>
<message numerus="yes">
<source>{sent}, {n} refused for too many requests</source>
<translation>
<numerusform>{sent}、リクエスト過多による拒否{n}件</numerusform>
</translation>
</message>
<message>
<source>{shop} changes other fields of it, but not this one (File &gt; Operations &gt; Fields shows which).</source>
<translation>{shop}はほかの項目を変更できますが、この項目は変更できません（ファイル &gt; サービスの操作 &gt; 項目で確認できます）。</translation>
</message>
<message>
<source>{shop} counts its pets by status only</source>
<translation>{shop}が数えるのは、ステータスごとのペット数だけです</translation>
</message>
<message>
<source>{shop} does not offer a list that is needed to tell.</source>
<translation>判定に必要な一覧を、{shop}が提供していません。</translation>
</message>
<message>
<source>{shop} does not offer this list</source>
<translation>{shop}はこの一覧を提供していません</translation>
</message>
<message>
<source>{shop} does not offer this.</source>
<translation>{shop}はこの機能を提供していません。</translation>
</message>
<message>
<source>{shop} does not tell a field that is needed to tell.</source>
<translation>判定に必要な項目を、{shop}が通知していません。</translation>
</message>
<message>
<source>{shop} has no such status. Choose one of its own in the cell.</source>
<translation>{shop}にこのステータスはありません。ショップにあるものをセルで選んでください。</translation>
</message>
<message>
<source>{shop} is forgotten</source>
<translation>{shop}の登録を解除しました</translation>
</message>
<message>
<source>{shop} needs attention</source>
<translation>{shop}：要対応</translation>
</message>
<message>
<source>{shop} no longer offers this.</source>
<translation>{shop}はこの機能の提供を終了しました。</translation>
</message>
<message>
<source>{shop} — Pet Store Desktop</source>
<translation>{shop} — Pet Store Desktop</translation>
</message>
<message>
<source>{shop}, a change {waits}</source>
<translation>{shop}、変更{waits}</translation>
</message>
<message>
<source>{shop}, as of {time}</source>
<translation>{shop}、{time}時点</translation>
</message>
<message>
<source>{shop}, live</source>
<translation>{shop}、最新</translation>
</message>
<message>
<source>{shop}, never read</source>
<translation>{shop}、未読み取り</translation>
</message>
<message>
<source>{shop}, no answer for {time}</source>
<translation>{shop}、{time}応答なし</translation>
</message>
<message>
<source>{shop}, offline since {time}</source>
<translation>{shop}、{time}からオフライン</translation>
</message>
<message>
<source>{shop}, printed {time}</source>
<translation>{shop}、{time}印刷</translation>
</message>
<message>
<source>{shop}, {state}</source>
<translation>{shop}、{state}</translation>
</message>
<message>
<source>{shop}: a key is needed; unsent changes wait</source>
<translation>{shop}：キーが必要なため、未送信の変更は待機しています</translation>
</message>
<message>
<source>{shop}: sending has stopped; unsent changes are kept</source>
<translation>{shop}：送信が停止しました。未送信の変更は残っています</translation>
</message>
<message>
<source>{shop}: switch to another shop</source>
<translation>{shop}：別のショップに切り替え</translation>
</message>
<message>
<source>{shop}: the file of your changes was damaged</source>
<translation>{shop}：変更のファイルが破損していました</translation>
</message>
<message>
<source>{shop}: the key is banned for a while; unsent changes wait</source>
<translation>{shop}：キーが一時的に利用停止中のため、未送信の変更は待機しています</translation>
</message>
<message>
<source>{shop}: your last change could not be saved</source>
<translation>{shop}：最後の変更を保存できませんでした</translation>
</message>
<message>
<source>{shop}: {changes} unsent.</source>
<translation>{shop}：未送信の{changes}。</translation>
</message>
<message numerus="yes">
<source>{shop}: {n} changes need attention</source>
<translation>
<numerusform>{shop}：要対応の変更{n}件</numerusform>
</translation>
</message>
<message>
<source>{shown} of {all}</source>
<translation>{all}中{shown}件</translation>
</message>
<message>
<source>{shown} of {total}</source>
<translation>{total}件中{shown}件</translation>
</message>
<message>
<source>{stays}. What you did before it can still be undone:</source>
<translation>{stays}。その前に行った操作は、まだ元に戻せます：</translation>
</message>
<message>
<source>{step}, {who}</source>
<translation>{step}、{who}</translation>
</message>
<message>
<source>{text} is not a value of this column.</source>
<translation>{text}はこの列の値ではありません。</translation>
</message>
<message>
<source>{text} is not a whole number.</source>
<translation>{text}は整数ではありません。</translation>
</message>
<message>
<source>{text} is not {expected}.</source>
<translation>{text}は{expected}ではありません。</translation>
</message>
<message numerus="yes">
<source>{then} of {n} operations can be used with this choice. No longer:</source>
<translation>
<numerusform>この選択では、{n}個の操作のうち{then}個が使えます。使えなくなる操作：</numerusform>
</translation>
</message>
<message>
<source>{things} are matched by {how}. Empty cells change nothing.</source>
<translation>{things}は{how}で照合します。空のセルは何も変更しません。</translation>
</message>
<message>
<source>{things} could not be read</source>
<translation>{things}を読み取れませんでした</translation>
</message>
<message>
<source>{things} were searched; not all are here.</source>
<translation>{things}を検索しました。ここにあるのは一部だけです。</translation>
</message>
<message>
<source>{time} (no time zone given)</source>
<translation>{time}（タイムゾーンの指定なし）</translation>
</message>
<message>
<source>{time} tomorrow</source>
<translation>明日 {time}</translation>
</message>
<message>
<source>{time}: {count} in stock</source>
<translation>{time}：在庫数{count}</translation>
</message>
<message>
<source>{title}, {count}: {sum}</source>
<translation>{title}、{count}：{sum}</translation>
</message>
<message>
<source>{title}. {why}</source>
<translation>{title}。{why}</translation>
</message>
<message>
<source>{total}</source>
<comment>how many rows a list has</comment>
<translation>{total}件</translation>
</message>
<message>
<source>{typed} is no value for a parameter; give it as NAME=VALUE</source>
<translation>{typed}はパラメーターの値ではありません。名前=値 の形で指定してください</translation>
</message>
<message>
<source>{typed}, {scans}</source>
<translation>{typed}、{scans}</translation>
</message>
<message>
<source>{url} answers.</source>
<translation>{url}は応答しています。</translation>
</message>
<message>
<source>{url} itself was not reached.</source>
<translation>{url}自体には接続していません。</translation>
</message>
<message>
<source>{used} of {limit}</source>
<translation>{used}/{limit}</translation>
</message>
<message>
<source>{value} is no day; give it as 2026-11-01</source>
<translation>{value} は日付ではありません。2026-11-01 のように指定してください</translation>
</message>
<message>
<source>{value} is no time; give 12h, 7d, 2w or 2026-11-20T08:00</source>
<translation>{value} は日時ではありません。12h、7d、2w、2026-11-20T08:00 のように指定してください</translation>
</message>
<message>
<source>{value} is not a whole number; use digits only, such as 1000</source>
<translation>{value} は整数ではありません。1000 のように数字だけで指定してください</translation>
</message>
<message>
<source>{value} is too large; at most {most}</source>
<translation>{value} は大きすぎます。最大は {most} です</translation>
</message>
<message>
<source>{value} would allow no request; leave the option out if it is not known</source>
<translation>{value} ではリクエストを送信できません。不明な場合はオプションを省いてください</translation>
</message>
<message>
<source>{value}, refused</source>
<translation>{value}、拒否</translation>
</message>
<message>
<source>{view} ({count})</source>
<translation>{view} ({count})</translation>
</message>
<message>
<source>{view} is in {file}</source>
<translation>{view}を{file}に保存しました</translation>
</message>
<message>
<source>{view}, changed</source>
<translation>{view}、変更あり</translation>
</message>
<message>
<source>{weekday} {day}</source>
<translation>{day}({weekday})</translation>
</message>
<message>
<source>{weekday} {day}</source>
<comment>Mon 16</comment>
<translation>{day}({weekday})</translation>
</message>
<message>
<source>{what} (see {program} --help)</source>
<translation>{what}（{program} --help を参照）</translation>
</message>
<message>
<source>{what} ({source})</source>
<translation>{what}（{source}）</translation>
</message>
<message>
<source>{what} Nothing was written.</source>
<translation>{what}何も書き込んでいません。</translation>
</message>
<message>
<source>{what} The program chooses the id: this service does not.</source>
<translation>{what}このサービスはIDを決めないため、プログラムが決めます。</translation>
</message>
<message>
<source>{what} The program chooses the ids: this service does not.</source>
<translation>{what}このサービスはIDを決めないため、プログラムが決めます。</translation>
</message>
<message>
<source>{what} ends on {day}, {left}</source>
<translation>{what}は{day}（{left}）に廃止されます</translation>
</message>
<message>
<source>{what} ends on {day}, {left}; {other} is used instead</source>
<translation>{what}は{day}（{left}）に廃止されます。代わりに{other}を使います</translation>
</message>
<message>
<source>{what} is complete.</source>
<translation>{what}は完了しています。</translation>
</message>
<message>
<source>{what} is complete. Its ship date is {day}.</source>
<translation>{what}は完了しています。発送日は{day}です。</translation>
</message>
<message>
<source>{what} is due on {day}. It is not fulfilled yet.</source>
<translation>{what}は{day}に発送予定です。まだ完了していません。</translation>
</message>
<message>
<source>{what} is due today. It is not fulfilled yet.</source>
<translation>{what}は今日発送予定です。まだ完了していません。</translation>
</message>
<message>
<source>{what} is due tomorrow. It is not fulfilled yet.</source>
<translation>{what}は明日発送予定です。まだ完了していません。</translation>
</message>
<message>
<source>{what} is known, but the service does not give its state.</source>
<translation>{what}は登録されていますが、サービスから状態の情報がありません。</translation>
</message>
<message>
<source>{what} is not fulfilled yet. The service gives no ship date.</source>
<translation>{what}はまだ完了していません。サービスから発送日の情報がありません。</translation>
</message>
<message>
<source>{what} is {said}, says the service.</source>
<translation>サービスによると、{what}は{said}です。</translation>
</message>
<message>
<source>{what} was due on {day}. It is not fulfilled yet and is {late}.</source>
<translation>{what}は{day}に発送予定でした。まだ完了しておらず、{late}です。</translation>
</message>
<message>
<source>{what}, saved on this computer</source>
<translation>{what}、このコンピューターに保存</translation>
</message>
<message>
<source>{what}, sent</source>
<translation>{what}、送信済み</translation>
</message>
<message>
<source>{what}, {pets}</source>
<translation>{what}、{pets}</translation>
</message>
<message>
<source>{what}, {pets}, begun {time}</source>
<translation>{what}、{pets}、{time}開始</translation>
</message>
<message>
<source>{what}, {pets}, closed {time}</source>
<translation>{what}、{pets}、{time}終了</translation>
</message>
<message>
<source>{what}: from {before} to {after}</source>
<translation>{what}：{before}から{after}へ</translation>
</message>
<message>
<source>{what}: {before}, then {after}</source>
<translation>{what}：{before}、その後{after}</translation>
</message>
<message>
<source>{what}: {value}</source>
<translation>{what}：{value}</translation>
</message>
<message>
<source>{which}: {why}</source>
<translation>{which}：{why}</translation>
</message>
<message>
<source>{why} Until then this filter hides nothing.</source>
<translation>{why}修正するまで、このフィルターでは何も絞り込みません。</translation>
</message>
<message>
<source>{words} New: {news}</source>
<translation>{words}。新機能：{news}</translation>
</message>
<message>
<source>{words} {status}</source>
<comment>a status in words and its number</comment>
<translation>{words} {status}</translation>
</message>
<message>
<source>{words}, {time}</source>
<translation>{words}、{time}</translation>
</message>
<message>
<source>“{text}”</source>
<translation>「{text}」</translation>
</message>
<message>
<source>“{words}”</source>
<translation>「{words}」</translation>
</message>
<message numerus="yes">
<source>−{n} pieces</source>
<translation>
<numerusform>−{n}点</numerusform>
</translation>
</message>
<message>
<source>≈ does not count others with the same key.</source>
<translation>≈の値には、同じキーを使う他の利用分を含みません。</translation>
</message>
<message numerus="yes">
<source>≈ {n} days left</source>
<translation>
<numerusform>残り≈{n}日分</numerusform>
</translation>
</message>
</context>
</TS>
